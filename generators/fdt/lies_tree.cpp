// Lies in what a tree says: the blob stays well formed.

#include <algorithm>
#include <iterator>

#include "generators/endian.h"
#include "generators/fdt/tree_edit.h"

namespace kiln::gen::fdt {
namespace {

/// Of a node that has `ranges`: a bus on somebody's way to the CPU.
Property* draw_bus_count(Tree& tree, View fault) {
  std::vector<Property*> found;
  for (const Node& node : tree.nodes) {
    for (const char* name : {"#address-cells", "#size-cells"}) {
      Property* property = find_property(tree, node, name);
      if (property != nullptr && find_property(tree, node, "ranges") != nullptr) {
        found.push_back(property);
      }
    }
  }
  const uint64_t index = fault.below(found.size());
  return found.empty() ? nullptr : found[index];
}

void lie_cell_count(Tree& tree, View fault) {
  Property* property = fault.boolean()
                           ? draw_bus_count(tree, fault)
                           : draw_property(tree, fault, {"#address-cells", "#size-cells"});
  if (property == nullptr) {
    return;
  }
  if (fault.chance(1, 4)) {
    return resize_value(tree, *property, draw_delta(fault));
  }
  constexpr uint8_t kCounts[][4] = {
      {0, 0, 0, 0}, {0, 0, 0, 3}, {0, 0, 0, 4},    {0, 0, 0, 5},
      {0, 0, 0, 1}, {0, 0, 0, 2}, {0x40, 0, 0, 0}, {0xFF, 0xFF, 0xFF, 0xFF},
      {2, 0, 0, 0}};
  set_value(tree, *property, fault.pick(kCounts));
}

void lie_value_size(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault,
                                     {"reg", "ranges", "linux,initrd-start", "linux,initrd-end",
                                      "device_type", "#redistributor-regions"});
  if (property != nullptr) {
    resize_value(tree, *property, draw_delta(fault));
  }
}

void lie_open_text(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault,
                                     {"bootargs", "device_type", "status", "stdout-path",
                                      "linux,stdout-path", "serial0", "model", "compatible"});
  if (property == nullptr) {
    return;
  }
  std::vector<uint8_t> value = value_of(tree, *property);
  std::replace(value.begin(), value.end(), uint8_t{0}, uint8_t{'x'});
  if (fault.boolean() && !value.empty()) {
    value.pop_back();
  }
  set_value(tree, *property, value);
}

/// A run of bytes that are all zeros or all ones, from some cell on.
void lie_range(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault, {"reg", "ranges"});
  if (property == nullptr) {
    return;
  }
  std::vector<uint8_t> value = value_of(tree, *property);
  const uint64_t cells = value.size() / 4;
  const uint64_t from = fault.below(cells);
  const uint64_t count = fault.between(1, 4);
  constexpr uint8_t kFillers[] = {0, 0xFF};
  const uint8_t filler = fault.pick(kFillers);
  if (cells != 0 && fault.chance(1, 4)) { // a one: the first bit that its cell has
    store_be(&value[from * 4], uint32_t{1});
    return set_value(tree, *property, value);
  }
  for (uint64_t i = from * 4; i < std::min<uint64_t>((from + count) * 4, value.size()); ++i) {
    value[i] = filler;
  }
  set_value(tree, *property, value);
}

/// Beside those of names; it leads where the first of them does.
void lie_nameless_alias(Tree& tree) {
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (const Property* alias = find_property(tree, tree.nodes[i], "serial0")) {
      return append_property(tree, i, {"", alias->value});
    }
  }
}

void lie_console(Tree& tree, View fault) {
  using namespace std::string_view_literals;
  constexpr std::string_view kPaths[] = {"/nowhere\0"sv,
                                         "serial9\0"sv,
                                         "\0"sv,
                                         "/\0"sv,
                                         "/chosen\0"sv,
                                         "/cpus/cpu@0\0"sv,
                                         ":115200\0"sv,
                                         "serial0/child\0"sv,
                                         "ethernet0\0"sv,
                                         "serial0\0"sv,
                                         "memory\0"sv,
                                         "/stray/stray\0"sv,
                                         "/cpus\0"sv,
                                         ""sv,
                                         "relative/path\0"sv,
                                         "cpus\0"sv,
                                         "chosen\0"sv,
                                         "soc\0"sv};
  if (fault.chance(1, 4)) {
    return lie_nameless_alias(tree);
  }
  Property* property = draw_property(tree, fault, {"stdout-path", "linux,stdout-path", "serial0"});
  if (property != nullptr) {
    set_text(tree, *property, fault.pick(kPaths));
  }
}

void lie_reservation(Tree& tree, View fault) {
  constexpr Reservation kEntries[] = {{0x1000, 0},
                                      {0, 0x1000},
                                      {UINT64_MAX, 1},
                                      {UINT64_MAX, 2},
                                      {1, UINT64_MAX},
                                      {UINT64_MAX, UINT64_MAX},
                                      {0xFFFFFFFFFFFFFF00, 0x200},
                                      {0, UINT64_MAX},
                                      {2, UINT64_MAX}};
  const uint64_t at = fault.below(tree.reservations.size() + 1);
  tree.reservations.insert(tree.reservations.begin() + static_cast<ptrdiff_t>(at),
                           fault.pick(kEntries));
}

void lie_initrd(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault, {"linux,initrd-start", "linux,initrd-end"});
  if (property == nullptr) {
    return;
  }
  if (fault.chance(1, 6)) {
    property->name = "linux,initrd";
    return;
  }
  constexpr uint8_t kNumbers[][8] = {
      {}, {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, {0, 0, 0, 1}};
  constexpr size_t kSizes[] = {8, 4, 3, 0};
  const auto value = std::span(fault.pick(kNumbers)).first(fault.pick(kSizes));
  set_value(tree, *property, value);
  if (fault.below(4) == 3) { // it ends where it begins
    for (Property& other : tree.properties) {
      if (other.name.text == "linux,initrd-start" || other.name.text == "linux,initrd-end") {
        set_value(tree, other, value);
      }
    }
  }
}

void lie_no_memory(Tree& tree) {
  for (Property& property : tree.properties) {
    if (property.name.text == "device_type") {
      set_text(tree, property, "nothing");
    }
  }
}

/// A copy of a property, changed, behind all others of its node.
void lie_twin_property(Tree& tree, View fault) {
  const uint64_t which = fault.below(tree.nodes.size());
  const Node& node = tree.nodes[which];
  if (node.count == 0) {
    return;
  }
  Property twin = tree.properties[node.first + fault.below(node.count)];
  std::vector<uint8_t> value = value_of(tree, twin);
  std::reverse(value.begin(), value.end());
  set_value(tree, twin, value);
  append_property(tree, which, twin);
}

/// Index of the node that node `which` is in; the root's is its own.
size_t parent_of(const Tree& tree, size_t which) {
  const uint32_t depth = tree.nodes[which].depth;
  while (which != 0 && tree.nodes[which].depth >= depth) {
    --which;
  }
  return which;
}

/// One of the buses that have `ranges`, not an empty one; 0 (the root) when there is none.
size_t draw_mapped_bus(Tree& tree, View fault) {
  std::vector<size_t> found;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const Property* ranges = find_property(tree, tree.nodes[i], "ranges");
    if (ranges != nullptr && ranges->value.size != 0) {
      found.push_back(i);
    }
  }
  const uint64_t index = fault.below(found.size());
  return found.empty() ? 0 : found[index];
}

/// A bus and what is around it; what is in it goes on as before.
void lie_no_cells(Tree& tree, View fault) {
  const size_t bus = draw_mapped_bus(tree, fault);
  constexpr uint8_t kNone[4] = {};
  for (const size_t which : {bus, parent_of(tree, bus)}) {
    for (const char* name : {"#address-cells", "#size-cells"}) {
      if (Property* property = find_property(tree, tree.nodes[which], name)) {
        set_value(tree, *property, kNone);
      }
    }
  }
}

/// So many cells are said, or meant.
uint32_t cells_of(Tree& tree, size_t which, std::string_view name, uint32_t fallback) {
  const Property* property = find_property(tree, tree.nodes[which], name);
  return property == nullptr || property->value.size != 4
             ? fallback
             : std::min(load_be<uint32_t>(&tree.bytes[property->value.at]), 4u);
}

/// Where three cells or more have room for it.
void lie_wide_number(Tree& tree, View fault) {
  struct Place {
    Property* reg;
    size_t at;
  };
  std::vector<Place> found;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    Property* reg = find_property(tree, tree.nodes[i], "reg");
    const size_t parent = parent_of(tree, i);
    const size_t address = cells_of(tree, parent, "#address-cells", 2);
    const size_t size = cells_of(tree, parent, "#size-cells", 1);
    if (reg == nullptr || reg->value.size < (address + size) * 4) {
      continue;
    }
    if (address >= 3) found.push_back({reg, (address - 3) * 4});
    if (size >= 3) found.push_back({reg, (address + size - 3) * 4});
  }
  const uint64_t index = fault.below(found.size());
  if (!found.empty()) {
    std::vector<uint8_t> value = value_of(tree, *found[index].reg);
    store_be(&value[found[index].at], uint32_t{1});
    set_value(tree, *found[index].reg, value);
  }
}

void lie_far_range(Tree& tree, View fault) {
  const size_t bus = draw_mapped_bus(tree, fault);
  if (bus == 0) {
    return;
  }
  const uint32_t own = cells_of(tree, bus, "#address-cells", 2);
  const uint32_t size = cells_of(tree, bus, "#size-cells", 1);
  const uint32_t above = cells_of(tree, parent_of(tree, bus), "#address-cells", 2);
  Property& ranges = *find_property(tree, tree.nodes[bus], "ranges");
  std::vector<uint8_t> value = value_of(tree, ranges);
  const size_t entry = (size_t{own} + above + size) * 4;
  const bool wide = fault.boolean(); // what is behind the first byte is beyond all cells
  for (size_t at = own * 4; at + above * 4 <= value.size() && entry != 0; at += entry) {
    std::fill_n(value.begin() + static_cast<ptrdiff_t>(at), above * 4, uint8_t{0xFF});
    if (!wide && above != 0) {
      value[at + above * 4 - 1] = 0;
    }
  }
  set_value(tree, ranges, value);
}

/// The first range of a bus begins a byte behind where something lies.
void lie_range_begin(Tree& tree, View fault) {
  const size_t bus = draw_mapped_bus(tree, fault);
  const size_t cells = cells_of(tree, bus, "#address-cells", 2);
  Property* ranges = find_property(tree, tree.nodes[bus], "ranges");
  if (bus == 0 || cells == 0 || ranges->value.size < cells * 4) {
    return;
  }
  std::vector<uint8_t> value = value_of(tree, *ranges);
  const size_t at = (cells - 1) * 4;
  store_be(&value[at], load_be<uint32_t>(&value[at]) + 1);
  set_value(tree, *ranges, value);
}

/// A bus that passes all addresses on as they are, to one whose cells make no sense.
void lie_transparent_bus(Tree& tree, View fault) {
  std::vector<size_t> inner;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const size_t around = parent_of(tree, i);
    if (around != 0 && find_property(tree, tree.nodes[i], "ranges") != nullptr &&
        find_property(tree, tree.nodes[around], "ranges") != nullptr) {
      inner.push_back(i);
    }
  }
  const uint64_t index = fault.below(inner.size());
  if (inner.empty()) {
    return;
  }
  set_value(tree, *find_property(tree, tree.nodes[inner[index]], "ranges"), {});
  const Node& outer = tree.nodes[parent_of(tree, inner[index])];
  if (Property* cells = find_property(tree, outer, "#size-cells")) {
    constexpr uint8_t kFive[4] = {0, 0, 0, 5};
    set_value(tree, *cells, kFive);
  }
}

void lie_bus(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault, {"ranges"});
  if (property == nullptr) {
    return;
  }
  switch (fault.below(5)) {
  case 3:
    return lie_range_begin(tree, fault);
  case 4:
    return lie_transparent_bus(tree, fault);
  case 0:
    property->name = "dma-ranges";
    return;
  case 1:
    return resize_value(tree, *property, 4);
  default:
    return set_value(tree, *property, std::vector<uint8_t>(fault.below(17) * 4));
  }
}

} // namespace

void lie_in_tree(Tree& tree, Lie lie, View fault) {
  switch (lie) {
  case Lie::kCellCount:
    return lie_cell_count(tree, fault);
  case Lie::kValueSize:
    return lie_value_size(tree, fault);
  case Lie::kOpenText:
    return lie_open_text(tree, fault);
  case Lie::kRange:
    return lie_range(tree, fault);
  case Lie::kConsole:
    return lie_console(tree, fault);
  case Lie::kReservation:
    return lie_reservation(tree, fault);
  case Lie::kInitrd:
    return lie_initrd(tree, fault);
  case Lie::kNoMemory:
    return lie_no_memory(tree);
  case Lie::kTwinProperty:
    return lie_twin_property(tree, fault);
  case Lie::kBus:
    return lie_bus(tree, fault);
  case Lie::kNoCells:
    return lie_no_cells(tree, fault);
  case Lie::kWideNumber:
    return lie_wide_number(tree, fault);
  case Lie::kFarRange:
    return lie_far_range(tree, fault);
  default:
    return lie_in_devices(tree, lie, fault);
  }
}

} // namespace kiln::gen::fdt
