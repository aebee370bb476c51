#pragma once
// An image of a filesystem as a judge looks at it: bytes at offsets, without a copy of the whole.
//
//   ImageView(std::span<const uint8_t>)          // a file, a vector
//   ImageView(size, fetch, source)               // anything else: a disk's pages
//
// `fetch` answers with where the bytes are, or copies them together into `scratch` and answers with
// that; null when they cannot be read (a sector that gives an error).

#include <cstddef>
#include <cstdint>
#include <span>

namespace kiln::worlds::ext2 {

class ImageView {
 public:
  /// `bytes` of them from `offset` on, which lie inside the image. A request does not cross a
  /// multiple of its own size, which is a power of two from 1024 on. Valid until the next fetch
  /// into the same scratch.
  using Fetch = const uint8_t* (*)(const void* source, uint64_t offset, size_t bytes,
                                   uint8_t* scratch);

  explicit ImageView(std::span<const uint8_t> bytes) : flat_(bytes.data()), size_(bytes.size()) {}
  ImageView(uint64_t size, Fetch fetch, const void* source)
      : fetch_(fetch), source_(source), size_(size) {}

  uint64_t size() const { return size_; }
  /// Null: unreadable, or not wholly inside the image. `scratch` has room for `bytes`.
  const uint8_t* at(uint64_t offset, size_t bytes, uint8_t* scratch) const {
    if (offset > size_ || bytes > size_ - offset) return nullptr;
    return flat_ != nullptr ? flat_ + offset : fetch_(source_, offset, bytes, scratch);
  }

 private:
  const uint8_t* flat_ = nullptr;
  Fetch fetch_ = nullptr;
  const void* source_ = nullptr;
  uint64_t size_;
};

} // namespace kiln::worlds::ext2
