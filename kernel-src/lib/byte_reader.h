#pragma once
// Reads bytes that someone else wrote. The reader owns a window and a position in it; nothing can
// be read outside the window, and a read that fails (kTruncated, or kOutOfRange for a place named
// by number) leaves the position where it was.
//
//   ByteReader reader(bytes);
//   const uint32_t magic = CLAY_TRY(reader.be32());
//   ByteReader body = CLAY_TRY(reader.sub(length));   // can never leave the body

#include <concepts>
#include <stddef.h>
#include <stdint.h>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/endian.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"

namespace clay {

class ByteReader {
 public:
  constexpr ByteReader() = default;
  /// Reads `window`, which must outlive the reader and what it hands out.
  explicit constexpr ByteReader(Bytes window) : window_(window) {}

  constexpr size_t size() const { return window_.size(); }
  constexpr size_t position() const { return position_; }
  constexpr size_t remaining() const { return window_.size() - position_; }
  constexpr bool at_end() const { return remaining() == 0; }
  constexpr Bytes window() const { return window_; }
  /// What is left, without moving.
  constexpr Bytes rest() const { return window_.from(position_); }

  // --- Numbers at the position, which moves behind them

  Result<uint8_t> u8() { return read<uint8_t>(load_be<uint8_t>); }
  Result<uint16_t> be16() { return read<uint16_t>(load_be<uint16_t>); }
  Result<uint32_t> be32() { return read<uint32_t>(load_be<uint32_t>); }
  Result<uint64_t> be64() { return read<uint64_t>(load_be<uint64_t>); }
  Result<uint16_t> le16() { return read<uint16_t>(load_le<uint16_t>); }
  Result<uint32_t> le32() { return read<uint32_t>(load_le<uint32_t>); }
  Result<uint64_t> le64() { return read<uint64_t>(load_le<uint64_t>); }

  // --- Numbers at a place in the window; the position stays

  Result<uint8_t> u8_at(size_t offset) const { return read_at<uint8_t>(offset, load_be<uint8_t>); }
  Result<uint16_t> be16_at(size_t offset) const {
    return read_at<uint16_t>(offset, load_be<uint16_t>);
  }
  Result<uint32_t> be32_at(size_t offset) const {
    return read_at<uint32_t>(offset, load_be<uint32_t>);
  }
  Result<uint64_t> be64_at(size_t offset) const {
    return read_at<uint64_t>(offset, load_be<uint64_t>);
  }
  Result<uint16_t> le16_at(size_t offset) const {
    return read_at<uint16_t>(offset, load_le<uint16_t>);
  }
  Result<uint32_t> le32_at(size_t offset) const {
    return read_at<uint32_t>(offset, load_le<uint32_t>);
  }
  Result<uint64_t> le64_at(size_t offset) const {
    return read_at<uint64_t>(offset, load_le<uint64_t>);
  }

  // --- Runs of bytes

  /// The next `count` bytes, and moves behind them.
  constexpr Result<Bytes> bytes(size_t count) {
    if (count > remaining()) {
      return Error::kTruncated;
    }
    const Bytes taken = window_.subspan(position_, count);
    position_ += count;
    return taken;
  }
  /// The next `count` bytes as a window of their own, and moves behind them.
  constexpr Result<ByteReader> sub(size_t count) { return ByteReader(CLAY_TRY(bytes(count))); }
  /// [offset, offset + count) of this window as a window of its own; the position stays.
  constexpr Result<ByteReader> sub_at(size_t offset, size_t count) const {
    return ByteReader(CLAY_TRY(window_.slice(offset, count)));
  }
  /// Fills `out` whole, or fails and leaves it as it was.
  Result<void> copy(MutableBytes out) {
    const Bytes taken = CLAY_TRY(bytes(out.size()));
    if (!out.empty()) {
      memcpy(out.data(), taken.data(), taken.size());
    }
    return {};
  }
  /// The text up to the next NUL, and moves behind the NUL; kTruncated when there is none.
  Result<StringView> c_string() {
    const size_t length = StringView(rest()).find('\0');
    if (length == StringView::kNotFound) {
      return Error::kTruncated;
    }
    const StringView text = StringView(rest()).first(length);
    position_ += length + 1;
    return text;
  }

  // --- Moving

  constexpr Result<void> skip(size_t count) {
    static_cast<void>(CLAY_TRY(bytes(count)));
    return {};
  }
  /// To a place in the window; its end is one.
  constexpr Result<void> seek(size_t offset) {
    if (offset > size()) {
      return Error::kOutOfRange;
    }
    position_ = offset;
    return {};
  }
  /// To the next multiple of `align` (a power of two) from the window's start.
  constexpr Result<void> align(size_t align) {
    const Result<size_t> up = align_up(position_, align);
    if (!up.ok() || up.value() > size()) {
      return Error::kTruncated;
    }
    position_ = up.value();
    return {};
  }

 private:
  template <typename T> Result<T> read(T (*load)(const uint8_t*)) {
    return load(CLAY_TRY(bytes(sizeof(T))).data());
  }
  template <typename T> Result<T> read_at(size_t offset, T (*load)(const uint8_t*)) const {
    return load(CLAY_TRY(window_.slice(offset, sizeof(T))).data());
  }

  Bytes window_;
  size_t position_ = 0;
};

} // namespace clay
