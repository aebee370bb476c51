#pragma once
// Text that belongs to someone else: pointer and length, not necessarily NUL-terminated, in no
// particular encoding.

#include <stddef.h>

#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/span.h"

namespace clay {

class StringView {
 public:
  static constexpr size_t kNotFound = SIZE_MAX;

  constexpr StringView() = default;
  constexpr StringView(const char* data, size_t size) : data_(data), size_(size) {}
  /// A NUL-terminated text of the kernel's own.
  constexpr StringView(const char* text) : data_(text), size_(__builtin_strlen(text)) {}
  /// Bytes read as text.
  explicit StringView(Bytes bytes)
      : data_(reinterpret_cast<const char*>(bytes.data())), size_(bytes.size()) {}

  constexpr const char* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const char* begin() const { return data_; }
  constexpr const char* end() const { return data_ + size_; }
  constexpr char operator[](size_t index) const {
    CLAY_ASSERT(index < size_);
    return data_[index];
  }
  Bytes bytes() const { return Bytes(reinterpret_cast<const uint8_t*>(data_), size_); }

  constexpr StringView first(size_t count) const {
    CLAY_ASSERT(count <= size_);
    return StringView(data_, count);
  }
  constexpr StringView from(size_t offset) const {
    CLAY_ASSERT(offset <= size_);
    return StringView(data_ + offset, size_ - offset);
  }

  constexpr bool operator==(StringView other) const {
    if (size_ != other.size_) {
      return false;
    }
    for (size_t i = 0; i < size_; ++i) {
      if (data_[i] != other.data_[i]) {
        return false;
      }
    }
    return true;
  }
  constexpr bool starts_with(StringView prefix) const {
    return size_ >= prefix.size_ && first(prefix.size_) == prefix;
  }
  constexpr bool ends_with(StringView suffix) const {
    return size_ >= suffix.size_ && from(size_ - suffix.size_) == suffix;
  }

  /// Where `wanted` first stands, or kNotFound.
  constexpr size_t find(char wanted) const {
    for (size_t i = 0; i < size_; ++i) {
      if (data_[i] == wanted) {
        return i;
      }
    }
    return kNotFound;
  }

  /// The text before the first `separator`, which is cut off this view together with it; without a
  /// separator, all of it.
  constexpr StringView split_off(char separator) {
    const size_t at = find(separator);
    const StringView head = at == kNotFound ? *this : first(at);
    *this = at == kNotFound ? from(size_) : from(at + 1);
    return head;
  }

 private:
  const char* data_ = "";
  size_t size_ = 0;
};

} // namespace clay
