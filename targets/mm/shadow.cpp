#include "targets/mm/shadow.h"

#include <algorithm>

#include "sim/machine.h"
#include "sim/sanitizer.h"

namespace kiln::mm {
namespace {

constexpr size_t kWhole = 256; ///< blocks up to here are filled as a whole
constexpr size_t kEnd = 64;    ///< of larger ones the first and the last bytes
constexpr size_t kEvery = 512; ///< ... and 8 bytes so far apart

/// Calls act(first, end) for each part of a block that is filled.
template <typename Act> void for_parts(size_t size, Act act) {
  if (size <= kWhole) {
    return act(size_t{0}, size);
  }
  act(size_t{0}, kEnd);
  for (size_t at = kEvery; at + 8 <= size - kEnd; at += kEvery) {
    act(at, at + 8);
  }
  act(size - kEnd, size);
}

uint8_t pattern(uint8_t seed, size_t offset) {
  return static_cast<uint8_t>(seed ^ (offset & 0xFF) ^ ((offset >> 8) & 0xFF));
}

} // namespace

bool is_nobodys([[maybe_unused]] const void* at, [[maybe_unused]] size_t size) {
#if KILN_ASAN
  const auto* const bytes = static_cast<const uint8_t*>(at);
  return size == 0 || (__asan_address_is_poisoned(bytes) != 0 &&
                       __asan_address_is_poisoned(bytes + size / 2) != 0 &&
                       __asan_address_is_poisoned(bytes + size - 1) != 0);
#else
  return true;
#endif
}

void Shadow::check_place(uintptr_t at, size_t size) const {
  const uintptr_t from = reinterpret_cast<uintptr_t>(from_);
  KILN_CHECK(at >= from && at - from <= bytes_ && size <= bytes_ - (at - from),
             "a block of %zu bytes lies outside of the memory given", size);
  const auto above = blocks_.lower_bound(at);
  KILN_CHECK(above == blocks_.end() || above->first - at >= size,
             "a block of %zu bytes overlaps one %zu bytes further on that somebody has", size,
             static_cast<size_t>(above->first - at));
  if (above != blocks_.begin()) {
    const auto below = std::prev(above);
    KILN_CHECK(at - below->first >= below->second.size,
               "a block of %zu bytes begins %zu bytes inside one of %zu that somebody has", size,
               static_cast<size_t>(at - below->first), below->second.size);
  }
}

void Shadow::fill(uintptr_t at, Block& block) {
  block.seed = static_cast<uint8_t>((fills_ + 1) & 0xFF);
  fills_ = block.seed;
  auto* const bytes = reinterpret_cast<uint8_t*>(at);
  for_parts(block.size, [&](size_t first, size_t end) {
    for (size_t i = first; i < end; ++i) {
      bytes[i] = pattern(block.seed, i);
    }
  });
}

/// Its first `size` bytes; of what was filled.
void Shadow::check(uintptr_t at, const Block& block, size_t size) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(at);
  for_parts(block.size, [&](size_t first, size_t end) {
    for (size_t i = first; i < std::min(end, size); ++i) {
      KILN_CHECK(bytes[i] == pattern(block.seed, i),
                 "byte %zu of a block of %zu has changed while somebody had it", i, block.size);
    }
  });
}

void Shadow::add(void* block, size_t size, size_t align) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(block);
  check_place(at, size);
  KILN_CHECK(at % align == 0, "a block of %zu bytes is not aligned to %zu", size, align);
  fill(at, blocks_[at] = Block{size, 0});
}

void Shadow::touch(void* block) {
  const auto found = blocks_.find(reinterpret_cast<uintptr_t>(block));
  check(found->first, found->second, found->second.size);
  fill(found->first, found->second);
}

void Shadow::resize(void* block, size_t size) {
  const auto found = blocks_.find(reinterpret_cast<uintptr_t>(block));
  check(found->first, found->second, std::min(size, found->second.size));
  blocks_.erase(found);
  add(block, size, 1);
}

void Shadow::remove(void* block) {
  const auto found = blocks_.find(reinterpret_cast<uintptr_t>(block));
  check(found->first, found->second, found->second.size);
  blocks_.erase(found);
}

} // namespace kiln::mm
