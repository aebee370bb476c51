#pragma once
// Builds what a parser is handed: packets, tables, files, in either byte order.
//
//   ByteBuilder out;
//   out.text("PK").le16(kVersion).be32(0);   // the length is known only later
//   ...
//   out.set_be32(4, static_cast<uint32_t>(out.size()));
//   return out.take();
//
// The names are those of the kernel's ByteWriter; this one grows and cannot fail.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/endian.h"

namespace kiln::gen {

class ByteBuilder {
 public:
  ByteBuilder() { bytes_.reserve(kUsual); }

  size_t size() const { return bytes_.size(); }
  std::span<const uint8_t> bytes() const { return bytes_; }
  /// What has been built; the builder is empty then.
  std::vector<uint8_t> take() { return std::exchange(bytes_, {}); }

  // --- At the end

  ByteBuilder& u8(uint8_t value) { return put(value, std::endian::big); }
  ByteBuilder& be16(uint16_t value) { return put(value, std::endian::big); }
  ByteBuilder& be32(uint32_t value) { return put(value, std::endian::big); }
  ByteBuilder& be64(uint64_t value) { return put(value, std::endian::big); }
  ByteBuilder& le16(uint16_t value) { return put(value, std::endian::little); }
  ByteBuilder& le32(uint32_t value) { return put(value, std::endian::little); }
  ByteBuilder& le64(uint64_t value) { return put(value, std::endian::little); }
  ByteBuilder& raw(std::span<const uint8_t> from) {
    bytes_.insert(bytes_.end(), from.begin(), from.end());
    return *this;
  }
  /// Without a NUL.
  ByteBuilder& text(std::string_view from) {
    bytes_.insert(bytes_.end(), from.begin(), from.end());
    return *this;
  }
  ByteBuilder& fill(uint8_t byte, size_t count) {
    bytes_.resize(bytes_.size() + count, byte);
    return *this;
  }
  /// `filler` up to the next multiple of `to` (not 0) from the beginning.
  ByteBuilder& align(size_t to, uint8_t filler = 0) {
    return fill(filler, (to - size() % to) % to);
  }
  /// `count` zeros; where they begin. For a generator that fills them in itself.
  size_t room(size_t count) {
    const size_t at = size();
    fill(0, count);
    return at;
  }

  // --- Over what is there: at + the number's bytes <= size()

  void set_u8(size_t at, uint8_t value) { bytes_[at] = value; }
  void set_be16(size_t at, uint16_t value) { store_be(&bytes_[at], value); }
  void set_be32(size_t at, uint32_t value) { store_be(&bytes_[at], value); }
  void set_be64(size_t at, uint64_t value) { store_be(&bytes_[at], value); }
  void set_le16(size_t at, uint16_t value) { store_le(&bytes_[at], value); }
  void set_le32(size_t at, uint32_t value) { store_le(&bytes_[at], value); }
  void set_le64(size_t at, uint64_t value) { store_le(&bytes_[at], value); }

 private:
  template <typename T> ByteBuilder& put(T value, std::endian order) {
    uint8_t bytes[sizeof(T)];
    store(bytes, value, order);
    return raw(bytes);
  }

  static constexpr size_t kUsual = 512; ///< most of what is built never moves

  std::vector<uint8_t> bytes_;
};

} // namespace kiln::gen
