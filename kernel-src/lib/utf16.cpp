#include "kernel-src/lib/utf16.h"

#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/le_fields.h"

namespace clay {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

constexpr bool is_high_surrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Utf8Writer {
 public:
  explicit Utf8Writer(Span<char> out) : out_(out) {}

  void put(uint32_t code) {
    if (code < 0x80) {
      return byte(code);
    }
    if (code < 0x800) {
      byte(0xC0 | code >> 6);
      return tail(code, 0);
    }
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      tail(code, 12);
    }
    tail(code, 6);
    tail(code, 0);
  }
  size_t size() const { return size_; }

 private:
  void byte(uint32_t value) { out_[size_++] = static_cast<char>(truncate_to<int8_t>(value)); }
  /// The six bits from `shift` on.
  void tail(uint32_t code, unsigned shift) { byte(0x80 | (code >> shift & 0x3F)); }

  Span<char> out_;
  size_t size_ = 0;
};

} // namespace

Utf8Written utf8_of_utf16le(Bytes units, Span<char> out) {
  const LeFields fields(units);
  Utf8Writer writer(out);
  bool broken = false;
  for (size_t at = 0; fields.cover(at, 2) && fields.u16(at) != 0; at += 2) {
    const uint32_t unit = fields.u16(at);
    const uint32_t next = fields.cover(at + 2, 2) ? fields.u16(at + 2) : 0;
    if (is_high_surrogate(unit) && is_low_surrogate(next)) {
      writer.put(0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00));
      at += 2;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      writer.put(kReplacement);
      broken = true;
    } else {
      writer.put(unit);
    }
  }
  return {writer.size(), broken};
}

} // namespace clay
