// The contents of files, and the targets of symlinks.

#include "kernel-src/fs/ext2/block_map.h"
#include "kernel-src/fs/ext2/filesystem.h"
#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/endian.h"

namespace clay::ext2 {

namespace {

Result<> check_file(const Inode& inode) {
  if (inode.is_directory()) {
    return Error::kIsDirectory;
  }
  return inode.kind == NodeKind::kFile ? Result<>() : Error::kInvalid;
}

/// What of [offset, offset + size) lies in the block of `offset`.
size_t part_in_block(const Geometry& geometry, uint64_t offset, size_t size) {
  const size_t room = geometry.block_bytes - static_cast<size_t>(offset % geometry.block_bytes);
  return size < room ? size : room;
}

constexpr uint64_t kMostSmallFile = INT32_MAX; ///< larger ones are a feature

} // namespace

// --- Reading

Result<size_t> Ext2::read(const Inode& inode, uint64_t offset, MutableBytes into) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_file(inode));
  if (offset >= inode.size) {
    return size_t{0};
  }
  if (into.size() > inode.size - offset) {
    into = into.first(static_cast<size_t>(inode.size - offset));
  }
  const Geometry& geometry = volume_->geometry;
  for (size_t done = 0; done < into.size();) {
    const uint64_t at = offset + done;
    const size_t size = part_in_block(geometry, at, into.size() - done);
    const MutableBytes to = into.subspan(done, size);
    const BlockNumber number = CLAY_TRY(find_block(*volume_, inode, at >> geometry.block_shift));
    if (number) {
      const BlockRef block = CLAY_TRY(volume_->read(number));
      const auto from = static_cast<size_t>(at % geometry.block_bytes);
      memcpy(to.data(), block.bytes().subspan(from, size).data(), size);
    } else {
      memset(to.data(), 0, size);
    }
    done += size;
  }
  return into.size();
}

Result<size_t> Ext2::read_link(const Inode& inode, MutableBytes into) {
  MutexGuard guard(lock_);
  if (inode.kind != NodeKind::kSymlink) {
    return Error::kInvalid;
  }
  const auto length = static_cast<size_t>(inode.size);
  const size_t wanted = length < into.size() ? length : into.size();
  if (inode.fast) {
    uint8_t target[kFastSymlinkRoom];
    for (unsigned i = 0; i < kPointers; ++i) {
      store_le(target + size_t{i} * 4, inode.pointers[i]);
    }
    if (wanted != 0) {
      memcpy(into.data(), target, wanted);
    }
    return length;
  }
  const BlockNumber number = CLAY_TRY(find_block(*volume_, inode, 0));
  if (!number) {
    return volume_->corrupt("the target of symlink", inode.number);
  }
  const BlockRef block = CLAY_TRY(volume_->read(number));
  if (wanted != 0) {
    memcpy(into.data(), block.bytes().data(), wanted);
  }
  return length;
}

// --- Writing

/// Blocks behind the end are given back by the commit.
void Ext2::leave_cut(Inode& inode) {
  inode.trim = true;
  inodes_.leave(inode);
}

/// What the last block has behind the end becomes zeros.
Result<> Ext2::zero_tail(const Inode& inode) {
  const auto end = static_cast<size_t>(inode.size % volume_->geometry.block_bytes);
  if (end == 0) {
    return {};
  }
  const uint64_t index = inode.size >> volume_->geometry.block_shift;
  const BlockNumber number = CLAY_TRY(find_block(*volume_, inode, index));
  if (!number) {
    return {};
  }
  const BlockRef block = CLAY_TRY(volume_->read(number));
  const BlockEdit edit = CLAY_TRY(block.edit(kStageNew));
  const MutableBytes tail = edit.bytes().from(end);
  memset(tail.data(), 0, tail.size());
  return {};
}

/// Before a file gets larger: nothing old lies behind its end.
Result<> Ext2::begin_growth(Inode& inode, uint64_t size) {
  if (inode.trim) {
    CLAY_TRY(commit());
  }
  if (size > kMostSmallFile) {
    CLAY_TRY(volume_->allow_large_files());
  }
  return zero_tail(inode);
}

/// All blocks from `first` on have a place on the disk. After an error some may have one more.
Result<> Ext2::map(Inode& inode, uint64_t first, uint64_t count) {
  for (uint64_t index = first; index < first + count; ++index) {
    CLAY_TRY(grow_block(*volume_, inode, index));
  }
  return {};
}

/// A block that is being written to; a list back through the callers.
struct Ext2::Piece {
  const Piece* before;
  BlockNumber block;
};

/// All blocks are there and open before the first of them is changed.
Result<> Ext2::write_pieces(Inode& inode, uint64_t offset, Bytes from, const Piece* before) {
  if (from.empty()) {
    return {};
  }
  const Geometry& geometry = volume_->geometry;
  const size_t size = part_in_block(geometry, offset, from.size());
  const Piece piece{before, CLAY_TRY(find_block(*volume_, inode, offset >> geometry.block_shift))};
  if (!piece.block) { // it had one a moment ago
    return volume_->corrupt("a block that is also another, in inode", inode.number);
  }
  for (const Piece* other = before; other != nullptr; other = other->before) {
    if (other->block == piece.block) {
      return volume_->corrupt("a block twice in inode", inode.number);
    }
  }
  const BlockRef block = CLAY_TRY(volume_->read(piece.block));
  const BlockEdit edit = CLAY_TRY(block.edit(kStageNew));
  CLAY_TRY(write_pieces(inode, offset + size, from.from(size), &piece));
  const auto to = static_cast<size_t>(offset % geometry.block_bytes);
  memcpy(edit.bytes().subspan(to, size).data(), from.data(), size);
  return {};
}

/// The blocks have their places.
Result<> Ext2::copy_in(Inode& inode, uint64_t offset, Bytes from) {
  constexpr size_t kTogether = 8; ///< blocks that are open at once
  const size_t most = kTogether * volume_->geometry.block_bytes;
  while (!from.empty()) {
    const auto into_block = static_cast<size_t>(offset % volume_->geometry.block_bytes);
    const size_t room = most - into_block;
    const size_t size = from.size() < room ? from.size() : room;
    CLAY_TRY(write_pieces(inode, offset, from.first(size), nullptr));
    offset += size;
    from = from.from(size);
  }
  return {};
}

Result<> Ext2::write(Inode& inode, uint64_t offset, Bytes from) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_file(inode));
  if (from.empty()) {
    return {};
  }
  const Geometry& geometry = volume_->geometry;
  const Result<uint64_t> end = checked_add<uint64_t>(offset, from.size());
  if (!end.ok() || end.value() > geometry.most_file_bytes()) {
    return Error::kOverflow;
  }
  CLAY_TRY(begin_change());
  const bool grows = end.value() > inode.size;
  if (grows) {
    CLAY_TRY(begin_growth(inode, end.value()));
  }
  const uint64_t first = offset >> geometry.block_shift;
  const uint64_t count = ((end.value() - 1) >> geometry.block_shift) - first + 1;
  CLAY_TRY(make_room(CLAY_TRY(missing_blocks(*volume_, inode, first, count)), 0));
  Result<> written = map(inode, first, count);
  if (written.ok()) {
    written = copy_in(inode, offset, from);
  }
  if (inode.changed) {
    inodes_.leave(inode);
  }
  if (!written.ok()) {
    if (grows) {
      leave_cut(inode);
    }
    return written;
  }
  if (grows) {
    inode.size = end.value();
    inode.changed = true;
    inodes_.leave(inode);
  }
  return {};
}

Result<> Ext2::truncate(Inode& inode, uint64_t bytes) {
  MutexGuard guard(lock_);
  CLAY_TRY(check_file(inode));
  if (bytes > volume_->geometry.most_file_bytes()) {
    return Error::kOverflow;
  }
  if (bytes == inode.size) {
    return volume_->writable() ? Result<>() : Error::kReadOnly;
  }
  CLAY_TRY(begin_change());
  if (bytes > inode.size) {
    CLAY_TRY(begin_growth(inode, bytes));
  } else {
    inode.trim = true;
  }
  inode.size = bytes;
  inode.changed = true;
  inodes_.leave(inode);
  return {};
}

} // namespace clay::ext2
