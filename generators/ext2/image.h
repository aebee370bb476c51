#pragma once
// An image of which only the blocks that were written exist; the others are zeros. Making a small
// filesystem on a large disk costs what is in it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kiln::gen::ext2 {

class Image {
 public:
  /// All zeros.
  Image(uint32_t block_bytes, uint32_t blocks)
      : block_bytes_(block_bytes), places_(blocks, kNowhere) {}
  /// Of a file, in blocks of this size; what does not fill the last one is left out.
  Image(uint32_t block_bytes, std::span<const uint8_t> bytes);

  uint32_t block_bytes() const { return block_bytes_; }
  uint32_t blocks() const { return static_cast<uint32_t>(places_.size()); }
  uint64_t size() const { return uint64_t{blocks()} * block_bytes_; }

  bool written(uint32_t block) const { return places_[block] != kNowhere; }
  const uint8_t* read(uint32_t block) const {
    return written(block) ? place(places_[block]) : kZeros;
  }
  /// Stays where it is.
  uint8_t* write(uint32_t block) { return written(block) ? place(places_[block]) : make(block); }
  /// Calls visit(block, span of its bytes) for those that were written, in order.
  template <typename Visit> void each(Visit visit) const {
    for (uint32_t block = 0; block < blocks(); ++block) {
      if (written(block)) visit(block, std::span<const uint8_t>(read(block), block_bytes_));
    }
  }
  /// All of it.
  std::vector<uint8_t> bytes() const;
  /// `offset` and all behind it lie in the image.
  void copy(uint64_t offset, std::span<uint8_t> out) const;

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;
  static constexpr uint32_t kChunk = 8; ///< blocks that are allocated together
  static const uint8_t kZeros[65536];

  uint8_t* place(uint32_t at) const {
    return chunks_[at / kChunk].get() + size_t{at % kChunk} * block_bytes_;
  }
  uint8_t* make(uint32_t block);

  uint32_t block_bytes_;
  uint32_t made_ = 0;
  std::vector<uint32_t> places_;
  std::vector<std::unique_ptr<uint8_t[]>> chunks_;
};

} // namespace kiln::gen::ext2
