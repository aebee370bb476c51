#pragma once
// A block of the kernel's heap that ends with its last byte: what a parser under test is handed.
// An access one byte before or behind it is a finding in the flavours with AddressSanitizer; a
// write behind it is one in every flavour, when the block is given back.
//
//   const sim::ExactBlock blob(product.bytes);
//   parse(blob.bytes());
//
// Make it before an allocation is told to fail: it counts as one, and fails the run when there is
// no memory for it. In task context, where an allocation may wait.

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::sim {

class ExactBlock {
 public:
  /// A copy of `bytes`. `align`: of its first byte, a power of two and at most 4096.
  explicit ExactBlock(std::span<const uint8_t> bytes, size_t align = 8);
  /// `size` bytes that hold the heap's fill.
  explicit ExactBlock(size_t size, size_t align = 8);
  ~ExactBlock();
  ExactBlock(const ExactBlock&) = delete;
  ExactBlock& operator=(const ExactBlock&) = delete;

  /// Never null: of an empty block every byte is outside.
  std::span<const uint8_t> bytes() const { return {first_, size_}; }
  std::span<uint8_t> bytes() { return {first_, size_}; }

 private:
  void take(size_t align, uint64_t site);

  uint8_t* first_ = nullptr;
  size_t size_;
};

} // namespace kiln::sim
