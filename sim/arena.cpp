#include "sim/arena.h"

#include <cstring>

#include "sim/sanitizer.h"
#include "sim/size_class.h"

// Headers lie in poisoned memory.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace kiln::sim {

namespace {

PoisonFront poison_front;

constexpr uint8_t kZoneByte = 0xFB;

uint32_t pack(const Arena& arena, const BlockHeader* chunk) {
  return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(chunk) - arena.base) / 16 + 1);
}
BlockHeader* unpack(const Arena& arena, uint32_t packed) {
  return reinterpret_cast<BlockHeader*>(arena.base + (uintptr_t{packed} - 1) * 16);
}

size_t zone_bytes(const BlockHeader* chunk) {
  uintptr_t chunk_end = reinterpret_cast<uintptr_t>(chunk) + class_bytes(chunk->order);
  uintptr_t block_end = chunk->user + chunk->size;
  return chunk_end - block_end < kRightZone ? chunk_end - block_end : kRightZone;
}

void seal(BlockHeader* chunk, size_t size, size_t align, uint64_t site, uint32_t number) {
  uintptr_t user = (reinterpret_cast<uintptr_t>(chunk) + kLeftZone + align - 1) & ~(align - 1);
  chunk->site = site;
  chunk->size = static_cast<uint32_t>(size);
  chunk->number = number;
  chunk->state = kBlockLive;
  chunk->user = user;
  reinterpret_cast<uint64_t*>(user)[-1] = user - reinterpret_cast<uintptr_t>(chunk);
  auto* zone = reinterpret_cast<volatile uint8_t*>(user + size);
  for (size_t i = 0, n = zone_bytes(chunk); i < n; ++i) {
    zone[i] = kZoneByte;
  }
}

bool zone_intact(const BlockHeader* chunk) {
  auto* zone = reinterpret_cast<const volatile uint8_t*>(chunk->user + chunk->size);
  for (size_t i = 0, n = zone_bytes(chunk); i < n; ++i) {
    if (zone[i] != kZoneByte) {
      return false;
    }
  }
  return true;
}

/// The chunk of a block, or null when `user` cannot be one.
BlockHeader* chunk_of(const Arena& arena, uintptr_t user) {
  if (user < arena.base + kLeftZone || user >= arena.top || user % 8 != 0) {
    return nullptr;
  }
  uint64_t back = reinterpret_cast<const uint64_t*>(user)[-1];
  if (back < kLeftZone || back > user - arena.base || back % 16 != 0) {
    return nullptr;
  }
  auto* chunk = reinterpret_cast<BlockHeader*>(user - back);
  bool known = chunk->state == kBlockLive || chunk->state == kBlockFree;
  return known && chunk->user == user ? chunk : nullptr;
}

} // namespace

void Arena::init(uintptr_t at, size_t bytes) {
  *this = Arena{};
  base = at;
  end = at + bytes;
  top = at;
  poison_front.to = at;
}

BlockHeader* Arena::carve(unsigned order) {
  if (uint32_t packed = free_list[order]; packed != 0) {
    BlockHeader* chunk = unpack(*this, packed);
    free_list[order] = chunk->next;
    return chunk;
  }
  size_t bytes = class_bytes(order);
  if (end - top < bytes) {
    return nullptr;
  }
  auto* chunk = reinterpret_cast<BlockHeader*>(top);
  top += bytes;
  poison_front.grow(top);
  chunk->order = static_cast<uint8_t>(order);
  return chunk;
}

void* Arena::allocate(size_t size, size_t align, uint64_t site) {
  if (size > end - base) {
    return nullptr;
  }
  size_t slack = align > 16 ? align : 0;
  unsigned order = class_for(kLeftZone + slack + size + kRightZone);
  BlockHeader* chunk = order < kArenaClasses ? carve(order) : nullptr;
  if (chunk == nullptr) {
    return nullptr;
  }
  seal(chunk, size, align < 16 ? 16 : align, site, static_cast<uint32_t>(++allocations));
  ++live_blocks;
  live_bytes += size;
  void* user = reinterpret_cast<void*>(chunk->user);
  unpoison(user, size);
  memset(user, fill, size);
  return user;
}

FreeError Arena::release(void* block, uint64_t site) {
  BlockHeader* chunk = chunk_of(*this, reinterpret_cast<uintptr_t>(block));
  if (chunk == nullptr) {
    return FreeError::kNotABlock;
  }
  if (chunk->state == kBlockFree) {
    return FreeError::kTwice;
  }
  if (!zone_intact(chunk)) {
    return FreeError::kOverrun;
  }
  chunk->state = kBlockFree;
  chunk->freed_site = site;
  --live_blocks;
  live_bytes -= chunk->size;
  poison(block, chunk->size);
  uint32_t& slot = quarantine[quarantine_at];
  quarantine_at = static_cast<uint16_t>((quarantine_at + 1) % kQuarantine);
  if (slot != 0) {
    BlockHeader* oldest = unpack(*this, slot);
    oldest->next = free_list[oldest->order];
    free_list[oldest->order] = slot;
  }
  slot = pack(*this, chunk);
  return FreeError::kNone;
}

const BlockHeader* Arena::first_live(uint32_t since) const {
  const BlockHeader* best = nullptr;
  for (uintptr_t at = base; at < top;) {
    auto* chunk = reinterpret_cast<const BlockHeader*>(at);
    if (chunk->state == kBlockLive && chunk->number > since &&
        (best == nullptr || chunk->number < best->number)) {
      best = chunk;
    }
    at += class_bytes(chunk->order);
  }
  return best;
}

const BlockHeader* Arena::chunk_around(uintptr_t address) const {
  for (uintptr_t at = base; at < top && at <= address;) {
    auto* chunk = reinterpret_cast<const BlockHeader*>(at);
    size_t bytes = class_bytes(chunk->order);
    if (address < at + bytes) {
      return chunk;
    }
    at += bytes;
  }
  return nullptr;
}

BlockHeader Arena::header_of(const BlockHeader* chunk) {
  BlockHeader copy{};
  if (chunk != nullptr) {
    copy.site = chunk->site;
    copy.size = chunk->size;
    copy.number = chunk->number;
    copy.state = chunk->state;
    copy.user = chunk->user;
    copy.freed_site = chunk->state == kBlockFree ? chunk->freed_site : 0;
  }
  return copy;
}

} // namespace kiln::sim

#pragma clang attribute pop
