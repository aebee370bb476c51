#include "worlds/ext2/reader.h"

#include <algorithm>
#include <cstring>

#include "worlds/ext2/format.h"

namespace kiln::worlds::ext2 {
namespace {

constexpr unsigned kSlots = 5; // indirect blocks of three levels, contents, tables
constexpr unsigned kContents = 3;
constexpr unsigned kTables = 4;

FileKind kind_of(uint32_t mode) {
  switch (mode & kModeKind) {
  case kModeFile:
    return FileKind::kFile;
  case kModeDirectory:
    return FileKind::kDirectory;
  case kModeSymlink:
    return FileKind::kSymlink;
  case kModeCharDevice:
    return FileKind::kCharDevice;
  case kModeBlockDevice:
    return FileKind::kBlockDevice;
  case kModeFifo:
    return FileKind::kFifo;
  case kModeSocket:
    return FileKind::kSocket;
  default:
    return FileKind::kNone;
  }
}

} // namespace

Reader::Reader(const ImageView& image) : image_(image) {
  uint8_t copy[kSuperBytes];
  const uint8_t* super = image_.at(kSuperAt, kSuperBytes, copy);
  if (super == nullptr || le16(super + super::kMagicAt) != kMagic) return;
  const uint32_t shift = le32(super + super::kLogBlockSize);
  if (shift > 6) return;
  const bool revision1 = le32(super + super::kRevision) != 0;
  const uint32_t bytes = 1024U << shift;
  first_block_ = le32(super + super::kFirstBlock);
  blocks_ = static_cast<uint32_t>(
      std::min<uint64_t>(le32(super + super::kBlocks), image_.size() / bytes));
  inodes_ = le32(super + super::kInodes);
  inodes_per_group_ = le32(super + super::kInodesPerGroup);
  inode_bytes_ = revision1 ? le16(super + super::kInodeSize) : kInodeBytes0;
  has_types_ = revision1 && (le32(super + super::kIncompatible) & kFileTypeFeature) != 0;
  if (inodes_per_group_ == 0 || inode_bytes_ < kInodeBytes0 || bytes % inode_bytes_ != 0) return;
  block_bytes_ = bytes;
  scratch_.resize(size_t{kSlots} * block_bytes_);
}

const uint8_t* Reader::block(uint32_t number, unsigned slot) {
  if (number >= blocks_) return nullptr;
  return image_.at(uint64_t{number} * block_bytes_, block_bytes_,
                   &scratch_[size_t{slot} * block_bytes_]);
}

std::optional<InodeFacts> Reader::inode(uint32_t number) {
  if (!usable() || number == 0 || number > inodes_) return std::nullopt;
  const uint32_t group = (number - 1) / inodes_per_group_;
  const uint64_t descriptor = uint64_t{group} * kDescriptorBytes;
  const uint64_t where = uint64_t{first_block_} + 1 + descriptor / block_bytes_;
  if (where >= blocks_) return std::nullopt;
  const uint8_t* descriptors = block(static_cast<uint32_t>(where), kTables);
  if (descriptors == nullptr) return std::nullopt;
  const uint32_t table = le32(descriptors + descriptor % block_bytes_ + group::kInodeTable);
  const uint64_t offset = uint64_t{(number - 1) % inodes_per_group_} * inode_bytes_;
  const uint64_t place = table + offset / block_bytes_;
  if (place >= blocks_) return std::nullopt;
  const uint8_t* bytes = block(static_cast<uint32_t>(place), kTables);
  if (bytes == nullptr) return std::nullopt;
  bytes += offset % block_bytes_;
  InodeFacts facts;
  facts.number = number;
  facts.kind = kind_of(le16(bytes + inode::kMode));
  facts.permissions = le16(bytes + inode::kMode) & 0xFFF;
  facts.links = le16(bytes + inode::kLinks);
  facts.bytes = le32(bytes + inode::kSize);
  if (facts.kind == FileKind::kFile) {
    facts.bytes |= uint64_t{le32(bytes + inode::kSizeHigh)} << 32;
  }
  facts.sectors = le32(bytes + inode::kSectors);
  facts.deleted = le32(bytes + inode::kDeleted);
  facts.flags = le32(bytes + inode::kFlags);
  facts.attributes = le32(bytes + inode::kAttributes);
  for (uint32_t i = 0; i < kPointers; ++i) {
    facts.pointers[i] = le32(bytes + inode::kPointers + size_t{i} * 4);
  }
  return facts;
}

std::optional<uint32_t> Reader::block_of(const InodeFacts& inode, uint64_t index) {
  const auto possible = [&](uint32_t number) -> std::optional<uint32_t> {
    if (number != 0 && (number < first_block_ || number >= blocks_)) return std::nullopt;
    return number;
  };
  if (index < kDirectPointers) return possible(inode.pointers[index]);
  index -= kDirectPointers;
  const uint64_t per_block = block_bytes_ / 4;
  uint64_t reach = per_block;
  unsigned level = 1;
  while (level < 3 && index >= reach) {
    index -= reach;
    reach *= per_block;
    ++level;
  }
  if (index >= reach) return std::nullopt;
  uint32_t number = inode.pointers[kDirectPointers - 1 + level];
  for (unsigned down = 0; down < level && number != 0; ++down) {
    if (!possible(number).has_value()) return std::nullopt;
    const uint8_t* pointers = block(number, down);
    if (pointers == nullptr) return std::nullopt;
    reach /= per_block;
    number = le32(pointers + index / reach * 4);
    index %= reach;
  }
  return possible(number);
}

std::optional<size_t> Reader::read(const InodeFacts& inode, uint64_t offset,
                                   std::span<uint8_t> into) {
  if (!usable()) return std::nullopt;
  if (offset >= inode.bytes) return 0;
  const auto bytes = static_cast<size_t>(std::min<uint64_t>(into.size(), inode.bytes - offset));
  for (size_t done = 0; done < bytes;) {
    const uint64_t at = offset + done;
    const auto inside = static_cast<size_t>(at % block_bytes_);
    const size_t take = std::min(bytes - done, block_bytes_ - inside);
    const std::optional<uint32_t> number = block_of(inode, at / block_bytes_);
    if (!number.has_value()) return std::nullopt;
    if (*number == 0) {
      std::memset(&into[done], 0, take);
    } else {
      const uint8_t* contents = block(*number, kContents);
      if (contents == nullptr) return std::nullopt;
      std::memcpy(&into[done], contents + inside, take);
    }
    done += take;
  }
  return bytes;
}

std::optional<std::vector<uint8_t>> Reader::contents(const InodeFacts& inode, size_t most) {
  if (inode.bytes > most) return std::nullopt;
  std::vector<uint8_t> bytes(static_cast<size_t>(inode.bytes));
  if (!read(inode, 0, bytes).has_value()) return std::nullopt;
  return bytes;
}

std::optional<std::string> Reader::symlink(const InodeFacts& inode) {
  if (inode.bytes >= kPointerBytes) {
    if (inode.bytes >= block_bytes_) return std::nullopt;
    std::string text(static_cast<size_t>(inode.bytes), 0);
    const std::span<uint8_t> into(reinterpret_cast<uint8_t*>(text.data()), text.size());
    if (!read(inode, 0, into).has_value()) return std::nullopt;
    return text;
  }
  // The pointers are the text: their bytes in the order of the disk.
  uint8_t bytes[kPointerBytes];
  for (uint32_t i = 0; i < kPointers; ++i)
    gen::store_le(bytes + size_t{i} * 4, inode.pointers[i]);
  return std::string(reinterpret_cast<const char*>(bytes), static_cast<size_t>(inode.bytes));
}

bool Reader::list(const InodeFacts& directory, std::vector<uint8_t>& storage,
                  std::vector<DirectoryEntry>& entries) {
  storage.clear();
  entries.clear();
  if (!usable() || directory.kind != FileKind::kDirectory) return false;
  const uint64_t whole = directory.bytes / block_bytes_;
  if (whole > blocks_) return false;
  storage.resize(static_cast<size_t>(whole) * block_bytes_);
  bool sound = true;
  for (uint64_t i = 0; i < whole; ++i) {
    const std::optional<uint32_t> number = block_of(directory, i);
    const uint8_t* from = number.has_value() && *number != 0 ? block(*number, kContents) : nullptr;
    if (from == nullptr) {
      sound = false;
      continue;
    }
    uint8_t* bytes = &storage[static_cast<size_t>(i) * block_bytes_];
    std::memcpy(bytes, from, block_bytes_);
    for (uint32_t at = 0; at + kEntryHeader <= block_bytes_;) {
      const uint32_t number_here = le32(bytes + at);
      uint32_t length = le16(bytes + at + 4);
      if (block_bytes_ == 65536 && (length == 0 || length == 65535)) length = 65536;
      const uint32_t name = bytes[at + 6];
      if (length < kEntryHeader + name || length > block_bytes_ - at || length % 4 != 0) {
        sound = false;
        break;
      }
      if (number_here != 0) {
        entries.push_back({number_here,
                           has_types_ ? bytes[at + 7] : uint8_t{0},
                           {reinterpret_cast<const char*>(bytes + at + kEntryHeader), name}});
      }
      at += length;
    }
  }
  return sound;
}

std::optional<InodeFacts> Reader::find(std::string_view path) {
  std::optional<InodeFacts> at = inode(kRootInode);
  std::vector<uint8_t> storage;
  std::vector<DirectoryEntry> entries;
  while (at.has_value()) {
    while (!path.empty() && path.front() == '/')
      path.remove_prefix(1);
    if (path.empty()) return at;
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(name.size());
    list(*at, storage, entries);
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const DirectoryEntry& e) { return e.name == name; });
    if (entry == entries.end()) return std::nullopt;
    at = inode(entry->inode);
  }
  return at;
}

ReadTree read_tree(Reader& reader, size_t most_entries) {
  ReadTree tree;
  std::vector<uint8_t> storage;
  std::vector<DirectoryEntry> entries;
  std::vector<uint32_t> entered;
  const std::optional<InodeFacts> root = reader.inode(kRootInode);
  if (!root.has_value()) {
    tree.whole = false;
    return tree;
  }
  tree.entries.push_back({"/", *root});
  for (size_t i = 0; i < tree.entries.size(); ++i) {
    const InodeFacts directory = tree.entries[i].inode;
    if (directory.kind != FileKind::kDirectory) continue;
    if (std::find(entered.begin(), entered.end(), directory.number) != entered.end()) {
      tree.whole = false; // a directory with two names
      continue;
    }
    entered.push_back(directory.number);
    tree.whole &= reader.list(directory, storage, entries);
    const std::string prefix = i == 0 ? "/" : tree.entries[i].path + "/";
    for (const DirectoryEntry& entry : entries) {
      if (entry.name == "." || entry.name == "..") continue;
      const std::optional<InodeFacts> inode = reader.inode(entry.inode);
      if (!inode.has_value() || tree.entries.size() >= most_entries) {
        tree.whole = false;
        continue;
      }
      tree.entries.push_back({prefix + std::string(entry.name), *inode});
    }
  }
  return tree;
}

} // namespace kiln::worlds::ext2
