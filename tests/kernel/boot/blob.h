#pragma once
// Device trees for the tests of the kernel's reader.

#include <vector>

#include "generators/fdt/builder.h"
#include "generators/fdt/draft.h"
#include "kernel-src/boot/fdt.h"

namespace clay::test {

using kiln::gen::fdt::Builder;
using kiln::gen::fdt::Field;
using kiln::gen::fdt::Range;

/// Of what was built, every node closed; a block of exactly its length.
inline std::vector<uint8_t> blob_of(Builder& builder) {
  namespace gen = kiln::gen::fdt;
  return gen::blob_of(gen::draft_of(builder.take(), false, 0, false), gen::Layout{});
}

/// A root with one child and a property each.
inline std::vector<uint8_t> small_blob() {
  Builder builder;
  builder.open("");
  builder.string("model", "small");
  builder.open("child");
  builder.u32("number", 7);
  builder.close();
  builder.close();
  return blob_of(builder);
}

inline void set_field(std::vector<uint8_t>& blob, Field field, uint32_t value) {
  kiln::gen::fdt::write32(blob, kiln::gen::fdt::place_of(field), value);
}
inline uint32_t get_field(const std::vector<uint8_t>& blob, Field field) {
  return kiln::gen::fdt::read32(blob, kiln::gen::fdt::place_of(field));
}

/// Of a copy that has exactly these bytes.
inline fdt::Refusal verdict_of(const std::vector<uint8_t>& blob) {
  const std::vector<uint8_t> exact(blob.begin(), blob.end());
  fdt::Refused why;
  static_cast<void>(fdt::Tree::open(exact, why));
  return why.reason;
}

/// The tree of a blob that must be one; the blob outlives it.
inline fdt::Tree tree_of(const std::vector<uint8_t>& blob) {
  fdt::Refused why;
  return fdt::Tree::open(blob, why).take();
}

} // namespace clay::test
