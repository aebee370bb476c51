#pragma once
// Writes into a buffer of a fixed size: packets, tables, descriptors. Nothing can be written
// outside it, and a write that does not fit (kNoSpace) changes nothing.
//
//   ByteWriter writer(frame);
//   CLAY_TRY(writer.be16(kEtherTypeIp));
//   MutableBytes header = CLAY_TRY(writer.reserve(20));   // filled in later

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"

namespace clay {

class ByteWriter {
 public:
  constexpr ByteWriter() = default;
  /// Writes into `buffer`, which must outlive the writer and what it hands out.
  explicit constexpr ByteWriter(MutableBytes buffer) : buffer_(buffer) {}

  constexpr size_t position() const { return position_; }
  constexpr size_t room() const { return buffer_.size() - position_; }
  /// What has been written.
  constexpr MutableBytes written() const { return buffer_.first(position_); }

  Result<void> u8(uint8_t value) { return put(value, store_be<uint8_t>); }
  Result<void> be16(uint16_t value) { return put(value, store_be<uint16_t>); }
  Result<void> be32(uint32_t value) { return put(value, store_be<uint32_t>); }
  Result<void> be64(uint64_t value) { return put(value, store_be<uint64_t>); }
  Result<void> le16(uint16_t value) { return put(value, store_le<uint16_t>); }
  Result<void> le32(uint32_t value) { return put(value, store_le<uint32_t>); }
  Result<void> le64(uint64_t value) { return put(value, store_le<uint64_t>); }

  /// The next `count` bytes, for the caller to fill: they are as they were.
  constexpr Result<MutableBytes> reserve(size_t count) {
    if (count > room()) {
      return Error::kNoSpace;
    }
    const MutableBytes taken = buffer_.subspan(position_, count);
    position_ += count;
    return taken;
  }
  Result<void> bytes(Bytes from) {
    const MutableBytes to = CLAY_TRY(reserve(from.size()));
    if (!from.empty()) {
      memcpy(to.data(), from.data(), from.size());
    }
    return {};
  }
  Result<void> fill(uint8_t byte, size_t count) {
    const MutableBytes to = CLAY_TRY(reserve(count));
    if (count != 0) {
      memset(to.data(), byte, count);
    }
    return {};
  }
  /// Zeros up to the next multiple of `align` (a power of two) from the buffer's start.
  Result<void> align(size_t align) {
    const size_t up = CLAY_TRY(align_up(position_, align));
    return fill(0, up - position_);
  }

 private:
  template <typename T> Result<void> put(T value, void (*store)(uint8_t*, T)) {
    store(CLAY_TRY(reserve(sizeof(T))).data(), value);
    return {};
  }

  MutableBytes buffer_;
  size_t position_ = 0;
};

} // namespace clay
