#pragma once
// A property's value, bounded by its length. Nothing in it can be reached without a check: numbers
// and texts come out of a Result.

#include <stdint.h>

#include "kernel-src/lib/result.h"
#include "kernel-src/lib/span.h"
#include "kernel-src/lib/string_view.h"

namespace clay::fdt {

class Property {
 public:
  /// No property at all: every read fails with kNotFound.
  Property() = default;
  Property(StringView name, Bytes value) : name_(name), value_(value), exists_(true) {}

  bool exists() const { return exists_; }
  StringView name() const { return name_; }
  Bytes value() const { return value_; }
  size_t size() const { return value_.size(); }

  /// 2.2.4 <u32>: exactly 4 bytes. kNotFound, kInvalid.
  Result<uint32_t> u32() const;
  /// A number of 4 or 8 bytes. kNotFound, kInvalid.
  Result<uint64_t> number() const;
  /// 2.2.4 <string>, or the first of a <stringlist>: up to the first NUL. kNotFound; kInvalid when
  /// there is no NUL.
  Result<StringView> string() const;
  /// Whether one of a <stringlist> is `text`. What has no NUL is not part of the list.
  bool lists(StringView text) const;

 private:
  StringView name_;
  Bytes value_;
  bool exists_ = false;
};

} // namespace clay::fdt
