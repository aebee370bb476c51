#pragma once
// A device tree as it is meant, before it becomes bytes: nodes in the order of the blob, everything
// in a few flat arrays, so that a tree of hundreds of properties costs a handful of allocations.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kiln::gen::fdt {

/// A property's name. Only of static text; hashed when compiled.
struct Name {
  consteval Name(const char* literal) : text(literal) {
    for (char c : text) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u; // FNV-1a
    }
  }
  std::string_view text;
  uint32_t hash = 0x811C9DC5u;
};

/// A part of Tree::bytes.
struct Slice {
  uint32_t at = 0;
  uint32_t size = 0;
};

struct Property {
  Name name;
  Slice value;
};

struct Node {
  Slice name;         ///< without NUL
  uint32_t first = 0; ///< its properties are [first, first + count)
  uint32_t count = 0;
  uint32_t depth = 0; ///< 0: the root
};

/// An entry of the memory reservation block.
struct Reservation {
  uint64_t address = 0;
  uint64_t size = 0;
};

struct Tree {
  std::vector<Node> nodes; ///< each before its children
  std::vector<Property> properties;
  std::vector<uint8_t> bytes;
  std::vector<Reservation> reservations;

  std::span<const uint8_t> bytes_of(Slice slice) const {
    return std::span(bytes).subspan(slice.at, slice.size);
  }
  std::string_view text_of(Slice slice) const {
    return {reinterpret_cast<const char*>(bytes.data()) + slice.at, slice.size};
  }
  std::span<const Property> properties_of(const Node& node) const {
    return std::span(properties).subspan(node.first, node.count);
  }
};

} // namespace kiln::gen::fdt
