#include "sim/exact_block.h"

#include <algorithm>

#include "sim/hal.h"

#define CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))

namespace kiln::sim {

void ExactBlock::take(size_t align, uint64_t site) {
  first_ = static_cast<uint8_t*>(hal::allocate(size_, align, true, site));
  if (first_ == nullptr) {
    machine().fail(Rule::kOracle, "the heap has no %zu bytes for what the kernel is handed", size_);
  }
}

ExactBlock::ExactBlock(std::span<const uint8_t> bytes, size_t align) : size_(bytes.size()) {
  take(align, CALLER);
  std::copy(bytes.begin(), bytes.end(), first_);
}

ExactBlock::ExactBlock(size_t size, size_t align) : size_(size) { take(align, CALLER); }

ExactBlock::~ExactBlock() { hal::release(first_, CALLER); }

} // namespace kiln::sim
