#pragma once
// A reader of flattened devicetrees for oracles, written from the Devicetree Specification v0.4,
// chapter 5, and from nothing else. It reads a blob whole into flat arrays, by recursive descent
// over the grammar of 5.4.2, with 64-bit places throughout.
//
// It judges the form; what a tree says is fdt_board.h's.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kiln::worlds::fdt {

/// Points into the blob.
struct Property {
  std::string_view name;
  std::span<const uint8_t> value;
};

/// Names that are asked for often.
enum class Key : uint8_t {
  kReg,
  kStatus,
  kRanges,
  kPhandle,
  kCompatible,
  kSizeCells,
  kDeviceType,
  kAddressCells,
  kInterruptParent,
  kInterruptCells,
};

struct Node {
  std::string_view name;
  size_t parent = 0; ///< index; the root's is its own
  size_t depth = 0;  ///< 0: the root
  size_t first = 0;  ///< its properties are [first, first + count)
  size_t count = 0;
  /// Where the first property of each Key is; counted from 1, 0: nowhere.
  std::array<uint32_t, 10> known{};
};

struct Reservation {
  uint64_t address = 0;
  uint64_t size = 0;
};

struct Tree {
  /// Why the blob is no devicetree; null: it is one.
  const char* fault = nullptr;
  /// And where: the field of the header, the block, or the token; from the blob's start.
  uint64_t fault_at = 0;
  uint32_t total_size = 0;
  uint32_t boot_cpu = 0;
  bool nop_behind_root = false;          ///< between the root node's end and FDT_END
  std::vector<Reservation> reservations; ///< without the last entry
  std::vector<Node> nodes;               ///< each before its children; [0] is the root
  std::vector<Property> properties;

  std::span<const Property> properties_of(const Node& node) const {
    return std::span(properties).subspan(node.first, node.count);
  }
  /// The first property of that name, or null.
  const Property* property(const Node& node, std::string_view name) const;
  const Property* property(const Node& node, Key key) const {
    const uint32_t place = node.known[static_cast<size_t>(key)];
    return place == 0 ? nullptr : &properties[place - 1];
  }
};

/// Reads the blob at the start of `bytes`, which must outlive the tree. Nodes nested more than
/// `deepest` deep (the root counted) are a fault: no rule of the specification but the kernel's.
Tree read_tree(std::span<const uint8_t> bytes, size_t deepest);

} // namespace kiln::worlds::fdt
