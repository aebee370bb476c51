#include "kernel-src/fs/ramfs_data.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/task/heap.h"

namespace clay {

RamData::~RamData() { drop_from(0); }

RamData::Part RamData::first_part(uint64_t offset, size_t size) {
  const auto begin = static_cast<size_t>(offset % kBlockBytes);
  const size_t room = kBlockBytes - begin;
  return {offset / kBlockBytes, begin, size < room ? size : room};
}

size_t RamData::read(uint64_t offset, MutableBytes into) const {
  if (offset >= bytes_) {
    return 0;
  }
  const uint64_t behind = bytes_ - offset;
  const size_t size = behind < into.size() ? static_cast<size_t>(behind) : into.size();
  for (size_t done = 0; done < size;) {
    const Part part = first_part(offset + done, size - done);
    const Block* const block = blocks_.find(part.block);
    if (block != nullptr) {
      memcpy(into.data() + done, block->bytes + part.begin, part.size);
    } else {
      memset(into.data() + done, 0, part.size);
    }
    done += part.size;
  }
  return size;
}

/// Blocks for what of [first, last] is a hole. An error leaves `fresh` empty and nothing taken.
Result<> RamData::make_missing(uint64_t first, uint64_t last, FreshBlocks& fresh) {
  uint64_t missing = 0;
  for (uint64_t number = first; number <= last; ++number) {
    missing += blocks_.find(number) == nullptr ? 1 : 0;
  }
  CLAY_TRY(space_.take_blocks(missing));
  for (uint64_t number = first; number <= last; ++number) {
    if (blocks_.find(number) != nullptr) {
      continue;
    }
    auto* const block = heap_new<Block>(kHalAllocMayWait, number);
    if (block == nullptr) {
      while (Block* const made = fresh.pop_front()) {
        heap_delete(made);
      }
      space_.give_blocks(missing);
      return Error::kNoMemory;
    }
    fresh.push_back(*block);
  }
  return {};
}

Result<> RamData::write(uint64_t offset, Bytes from) {
  if (from.empty()) {
    return {};
  }
  const uint64_t end = CLAY_TRY(checked_add<uint64_t>(offset, from.size()));
  if (end > RamFs::kMostBytes) {
    return Error::kOverflow;
  }
  FreshBlocks fresh;
  CLAY_TRY(make_missing(offset / kBlockBytes, (end - 1) / kBlockBytes, fresh));
  while (Block* const block = fresh.pop_front()) {
    blocks_.insert(*block);
    ++blocks_in_use_;
  }
  for (size_t done = 0; done < from.size();) {
    const Part part = first_part(offset + done, from.size() - done);
    memcpy(blocks_.find(part.block)->bytes + part.begin, from.data() + done, part.size);
    done += part.size;
  }
  bytes_ = end > bytes_ ? end : bytes_;
  return {};
}

/// Blocks from that one on are holes.
void RamData::drop_from(uint64_t first_block) {
  uint64_t dropped = 0;
  while (Block* const block = blocks_.last()) {
    if (block->number < first_block) {
      break;
    }
    blocks_.remove(*block);
    heap_delete(block);
    ++dropped;
  }
  blocks_in_use_ -= dropped;
  space_.give_blocks(dropped);
}

Result<> RamData::truncate(uint64_t bytes) {
  if (bytes > RamFs::kMostBytes) {
    return Error::kOverflow;
  }
  drop_from(divide_up(bytes, kBlockBytes));
  const auto kept = static_cast<size_t>(bytes % kBlockBytes);
  Block* const last = kept != 0 ? blocks_.find(bytes / kBlockBytes) : nullptr;
  if (last != nullptr) {
    memset(last->bytes + kept, 0, kBlockBytes - kept);
  }
  bytes_ = bytes;
  return {};
}

} // namespace clay
