#include "kernel-src/boot/physical_bytes.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/checksum.h"

namespace clay {
namespace {

uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

} // namespace

bool fits_physical(uint64_t physical, uint64_t size) { return size - 1 <= UINT64_MAX - physical; }

PhysicalBytes::PhysicalBytes(PhysicalWindow& window, uint64_t physical, size_t size)
    : window_(window), physical_(physical), size_(size) {
  CLAY_ASSERT(size == 0 || fits_physical(physical, size));
}

void PhysicalBytes::release() {
  if (!mapped_.empty()) {
    window_.unmap(mapped_);
    mapped_ = {};
  }
}

Result<Bytes> PhysicalBytes::piece(size_t offset) {
  if (offset >= mapped_at_ && offset - mapped_at_ < mapped_.size()) {
    return mapped_.from(offset - mapped_at_);
  }
  release();
  const uint64_t address = physical_ + offset;
  const uint64_t into_page = address % PhysicalWindow::kPageBytes;
  // All of this run that lies in the page, so that one mapping serves whatever is read there.
  const size_t before = smaller(into_page, offset);
  const size_t count = before + smaller(PhysicalWindow::kPageBytes - into_page, size_ - offset);
  mapped_ = CLAY_TRY(window_.map(address - before, count));
  mapped_at_ = offset - before;
  return mapped_.from(before);
}

Result<void> PhysicalBytes::copy(size_t offset, MutableBytes out) {
  CLAY_ASSERT(range_within(offset, out.size(), size_));
  while (!out.empty()) {
    const Bytes from = CLAY_TRY(piece(offset));
    const size_t count = smaller(from.size(), out.size());
    memcpy(out.data(), from.data(), count);
    out = out.from(count);
    offset += count;
  }
  return {};
}

Result<Bytes> PhysicalBytes::prefix(MutableBytes out) {
  const MutableBytes filled = out.first(smaller(out.size(), size_));
  CLAY_TRY(copy(0, filled));
  return Bytes(filled);
}

Result<uint8_t> PhysicalBytes::sum() {
  uint8_t sum = 0;
  for (size_t offset = 0; offset < size_;) {
    const Bytes part = CLAY_TRY(piece(offset));
    sum = wrapping_add(sum, byte_sum(part));
    offset += part.size();
  }
  return sum;
}

} // namespace clay
