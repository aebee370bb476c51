#include "kernel-src/boot/fdt_property.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {

Result<uint32_t> Property::u32() const {
  if (!exists_) {
    return Error::kNotFound;
  }
  if (value_.size() != sizeof(uint32_t)) {
    return Error::kInvalid;
  }
  return ByteReader(value_).be32();
}

Result<uint64_t> Property::number() const {
  if (value_.size() == sizeof(uint64_t)) {
    return ByteReader(value_).be64();
  }
  return CLAY_TRY(u32());
}

Result<StringView> Property::string() const {
  if (!exists_) {
    return Error::kNotFound;
  }
  const Result<StringView> text = ByteReader(value_).c_string();
  return text.ok() ? text : Error::kInvalid;
}

bool Property::lists(StringView text) const {
  size_t begin = 0;
  for (size_t at = 0; at < value_.size(); ++at) {
    if (value_.data()[at] != 0) {
      continue;
    }
    if (at - begin == text.size() && StringView(value_.subspan(begin, text.size())) == text) {
      return true;
    }
    begin = at + 1;
  }
  return false;
}

} // namespace clay::fdt
