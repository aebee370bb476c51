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
  ByteReader reader(value_);
  for (Result<StringView> one = reader.c_string(); one.ok(); one = reader.c_string()) {
    if (one.value() == text) {
      return true;
    }
  }
  return false;
}

} // namespace clay::fdt
