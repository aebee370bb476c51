// Lies about interrupts, PCIe hosts and which node is what.

#include <algorithm>

#include "generators/endian.h"
#include "generators/fdt/tree_edit.h"

namespace kiln::gen::fdt {
namespace {

/// Overwrites one of the cells of a value; the last one now and then.
void set_cell(Tree& tree, Property& property, View fault, uint32_t number) {
  std::vector<uint8_t> value = value_of(tree, property);
  const uint64_t cells = value.size() / 4;
  const uint64_t which = fault.chance(1, 4) ? cells - 1 : fault.below(cells);
  if (cells != 0) {
    store_be(&value[which * 4], number);
    set_value(tree, property, value);
  }
}

/// Left are some bytes from its beginning, mostly whole cells.
void cut_value(Tree& tree, Property& property, View fault) {
  std::vector<uint8_t> value = value_of(tree, property);
  uint64_t size = fault.below(value.size() + 1);
  const bool whole = !fault.chance(1, 4);
  // Else mostly a byte short of that.
  size = whole ? size / 4 * 4 : std::min<uint64_t>(size | 3, value.size());
  value.resize(static_cast<size_t>(size));
  set_value(tree, property, value);
}

void set_cells(Tree& tree, Property& property, std::initializer_list<uint32_t> cells) {
  std::vector<uint8_t> value(cells.size() * 4);
  size_t at = 0;
  for (const uint32_t cell : cells) {
    store_be(&value[at], cell);
    at += 4;
  }
  set_value(tree, property, value);
}

/// Nobody's, an edge, or one of the phandles that boards give to their controllers and buses.
uint32_t draw_phandle(View fault) {
  constexpr uint32_t kPhandles[] = {0,      UINT32_MAX, 0x7777, 1,      0x8001, 0x8000,
                                    0x9000, 0x9001,     0xA000, 0xA001, 0xB000, 0x8010};
  return fault.pick(kPhandles);
}

/// The root's interrupt parent has another phandle, and all who name it as theirs agree.
void rename_controller(Tree& tree, uint32_t phandle) {
  const Property* root = find_property(tree, tree.nodes[0], "interrupt-parent");
  const std::vector<uint8_t> old = root == nullptr ? std::vector<uint8_t>() : value_of(tree, *root);
  for (Property& property : tree.properties) {
    const std::string_view name = property.name.text;
    if (name == "interrupt-parent" || (name == "phandle" && value_of(tree, property) == old)) {
      set_cells(tree, property, {phandle});
    }
  }
}

void lie_phandle(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault, {"phandle", "interrupt-parent"});
  if (property == nullptr) {
    return;
  }
  if (fault.chance(1, 6)) {
    return resize_value(tree, *property, draw_delta(fault));
  }
  if (fault.chance(1, 6)) { // nobody says it
    property->name = "no-phandle";
    return;
  }
  const uint32_t phandle = draw_phandle(fault);
  if (fault.boolean()) {
    return rename_controller(tree, phandle);
  }
  set_cells(tree, *property, {phandle});
}

void lie_interrupt(Tree& tree, View fault) {
  constexpr uint32_t kNumbers[] = {0,    988,  987, 16,   15,         2,          3,
                                   1019, 1024, 64,  1023, UINT32_MAX, 0x80000000, 4};
  Property* property = fault.chance(1, 6)
                           ? draw_property(tree, fault, {"interrupts-extended"})
                           : draw_property(tree, fault, {"interrupts", "interrupts-extended"});
  if (property == nullptr) {
    return;
  }
  switch (fault.below(9)) {
  case 8: // something of one more
    return resize_value(tree, *property, static_cast<int>(1 + fault.below(3)));
  case 0:
  case 1:
    return resize_value(tree, *property, draw_delta(fault));
  case 2: // mostly behind a whole cell
    return cut_value(tree, *property, fault);
  case 3:
    property->name = "interrupt";
    return;
  default:
    set_cell(tree, *property, fault, fault.pick(kNumbers));
  }
  // Types of a GIC, each with the last number that it has and the one behind it.
  constexpr uint32_t kEdges[][2] = {{0, 987},  {0, 988}, {1, 15}, {1, 16}, {2, 1023},
                                    {2, 1024}, {3, 63},  {3, 64}, {4, 0},  {UINT32_MAX, 0}};
  if (property->value.size >= 8 && fault.chance(2, 3)) {
    const bool extended = property->name.text != "interrupts" && property->value.size >= 12;
    const uint32_t(&edge)[2] = fault.pick(kEdges);
    std::vector<uint8_t> value = value_of(tree, *property);
    store_be(&value[extended ? 4 : 0], edge[0]);
    store_be(&value[extended ? 8 : 4], edge[1]);
    set_value(tree, *property, value);
  }
}

/// False: there is no such controller.
bool lie_regions(Tree& tree, View fault) {
  constexpr uint32_t kCounts[] = {0, 1, 0, UINT32_MAX};
  Property* property = draw_property(tree, fault, {"#redistributor-regions"});
  if (property != nullptr) {
    set_cells(tree, *property, {fault.pick(kCounts)});
  }
  return property != nullptr;
}

void lie_interrupt_cells(Tree& tree, View fault) {
  constexpr uint32_t kCounts[] = {2, 1, 3, 4, 0, 8, 9, 0x40000001, UINT32_MAX};
  if (fault.chance(2, 3) && lie_regions(tree, fault)) {
    return;
  }
  Property* property = draw_property(tree, fault, {"#interrupt-cells"});
  if (property == nullptr) {
    return;
  }
  switch (fault.below(6)) {
  case 0:
    return resize_value(tree, *property, draw_delta(fault));
  case 1:
    property->name = "#interrupt-cell";
    return;
  default:
    return set_cells(tree, *property, {fault.pick(kCounts)});
  }
}

/// A bus with a map whose other cells make no sense.
void lie_nexus_cells(Tree& tree, View fault) {
  std::vector<Property*> sizes;
  for (const Node& node : tree.nodes) {
    Property* size = find_property(tree, node, "#size-cells");
    if (size != nullptr && find_property(tree, node, "interrupt-map") != nullptr) {
      sizes.push_back(size);
    }
  }
  const uint64_t index = fault.below(sizes.size());
  if (!sizes.empty()) {
    set_cells(tree, *sizes[index], {5});
  }
}

void lie_interrupt_map(Tree& tree, View fault) {
  Property* property = draw_property(tree, fault, {"interrupt-map", "interrupt-map-mask"});
  if (property == nullptr) {
    return;
  }
  switch (fault.below(8)) {
  case 0:
    if (fault.boolean()) { // nobody finds what he looks for, and comes to a byte that is no entry
      for (int i = 0; i < 4; ++i) {
        set_cell(tree, *property, fault, 0x4000'0000);
      }
      return resize_value(tree, *property, 1);
    }
    return resize_value(tree, *property, draw_delta(fault));
  case 6:
  case 7:
    return lie_nexus_cells(tree, fault);
  case 1:
    return set_cell(tree, *property, fault, draw_phandle(fault));
  case 2:
    return set_cell(tree, *property, fault, UINT32_MAX);
  case 3:
    return cut_value(tree, *property, fault);
  case 4: // most of what it maps leads to nobody
    for (int i = 0; i < 8; ++i) {
      set_cell(tree, *property, fault, 0x7777);
    }
    return cut_value(tree, *property, fault);
  default:
    if (Property* mask = draw_property(tree, fault, {"interrupt-map-mask"});
        fault.boolean() && mask) {
      mask->name = "interrupt-mask";
      return;
    }
    property->name = "interrupt-maps";
    return;
  }
}

/// Every interrupt of such a nexus goes to itself, as often as anyone follows it.
void lie_map_circle(Tree& tree, View fault) {
  std::vector<const Node*> nexuses;
  for (const Node& node : tree.nodes) {
    if (find_property(tree, node, "interrupt-map") != nullptr &&
        find_property(tree, node, "phandle") != nullptr) {
      nexuses.push_back(&node);
    }
  }
  const uint64_t index = fault.below(nexuses.size());
  if (nexuses.empty()) {
    return;
  }
  const Node& nexus = *nexuses[index];
  const auto cell = [&](const char* name) {
    const Property* property = find_property(tree, nexus, name);
    return property == nullptr || property->value.size != 4
               ? 0u
               : load_be<uint32_t>(&tree.bytes[property->value.at]);
  };
  const uint32_t cells = std::min(cell("#address-cells"), 4u) + cell("#interrupt-cells") % 8;
  const uint32_t phandle = cell("phandle");
  std::vector<uint8_t> value((2 * size_t{cells} + 1) * 4);
  store_be(&value[size_t{cells} * 4], phandle);
  set_value(tree, *find_property(tree, nexus, "interrupt-map"), value);
  if (Property* mask = find_property(tree, nexus, "interrupt-map-mask")) {
    set_value(tree, *mask, std::vector<uint8_t>(size_t{cells} * 4));
  }
}

/// Configuration space that is short of its buses by a little: by what a bus has, or a byte.
void lie_config_size(Tree& tree, View fault) {
  constexpr uint32_t kLess[] = {1, 0x10'0000, 0x1'0000, 0x1000, 0x20'0000, 0x2'0000};
  for (const Node& node : tree.nodes) {
    Property* reg = find_property(tree, node, "reg");
    if (reg == nullptr || reg->value.size < 4 ||
        find_property(tree, node, "linux,pci-domain") == nullptr) {
      continue;
    }
    std::vector<uint8_t> value = value_of(tree, *reg);
    const size_t at = value.size() - 4; // what it borrows from the upper half is not there
    store_be(&value[at], load_be<uint32_t>(&value[at]) - fault.pick(kLess));
    set_value(tree, *reg, value);
  }
}

void lie_bus_numbers(Tree& tree, View fault) {
  constexpr uint32_t kRanges[][2] = {{1, 0},   {0, 256},   {255, 255}, {0, 255},
                                     {255, 0}, {256, 256}, {5, 5},     {0, UINT32_MAX}};
  Property* property = draw_property(tree, fault, {"bus-range"});
  if (property == nullptr) {
    return;
  }
  if (fault.chance(1, 5)) {
    return resize_value(tree, *property, draw_delta(fault));
  }
  if (fault.chance(1, 2)) {
    return lie_config_size(tree, fault);
  }
  const uint32_t(&range)[2] = fault.pick(kRanges);
  set_cells(tree, *property, {range[0], range[1]});
}

/// One of the three numbers of 64 bits in a window, where the bus around has two cells.
void set_edge(Tree& tree, Property& ranges, View fault) {
  constexpr size_t kWindowCells = 7;
  constexpr size_t kNumbersAt[] = {3, 1, 5};
  constexpr uint64_t kEdges[] = {UINT64_MAX - 0xFFFF,      UINT64_MAX, 0xFFFF'FFFF, 0x1'0000'0000,
                                 UINT64_MAX - 0xFFFF'FFFF, 0};
  std::vector<uint8_t> value = value_of(tree, ranges);
  const uint64_t windows = value.size() / 4 / kWindowCells;
  const uint64_t which = fault.below(windows);
  const size_t at = (which * kWindowCells + fault.pick(kNumbersAt)) * 4;
  const bool just = fault.chance(1, 3);
  if (windows != 0 && just) { // ends one byte behind 32 bits
    const size_t bus_at = (which * kWindowCells + 1) * 4;
    const uint64_t bus = load_be<uint64_t>(&value[bus_at]);
    store_be(&value[(which * kWindowCells + 5) * 4], (uint64_t{1} << 32) - bus + 1);
    set_value(tree, ranges, value);
  } else if (windows != 0) {
    store_be(&value[at], fault.pick(kEdges));
    set_value(tree, ranges, value);
  }
}

/// A window of a host: space, addresses and size at their edges.
void lie_window(Tree& tree, View fault) {
  constexpr uint32_t kNumbers[] = {0,          1,          0x01000000, 0x02000000, 0x03000000,
                                   0x43000000, 0xFFFFFFFF, 0xFFFF0000, 0x80000000, 0x10000};
  std::vector<const Node*> hosts;
  for (const Node& node : tree.nodes) {
    if (find_property(tree, node, "bus-range") != nullptr ||
        find_property(tree, node, "linux,pci-domain") != nullptr) {
      hosts.push_back(&node);
    }
  }
  const uint64_t index = fault.below(hosts.size());
  Property* ranges = hosts.empty() ? nullptr : find_property(tree, *hosts[index], "ranges");
  if (ranges == nullptr) {
    return;
  }
  if (fault.boolean()) {
    return set_edge(tree, *ranges, fault);
  }
  for (uint64_t i = fault.between(1, 4); i > 0; --i) {
    set_cell(tree, *ranges, fault, fault.pick(kNumbers));
  }
}

void lie_word(Tree& tree, View fault) {
  using namespace std::string_view_literals;
  constexpr std::string_view kWords[] = {"smc\0"sv,
                                         "hvc\0"sv,
                                         "HVC\0"sv,
                                         "\0"sv,
                                         "arm,gic-v3\0"sv,
                                         "arm,gic-400\0"sv,
                                         "virtio,mmio\0"sv,
                                         "pci-host-ecam-generic\0"sv,
                                         "pci-host-cam-generic\0"sv,
                                         "arm,gic-v3-its\0"sv,
                                         "\0virtio,mmio\0"sv,
                                         "arm,armv8-timer\0arm,psci\0"sv,
                                         "vendor,x\0arm,armv8-timer\0"sv,
                                         "riscv,plic0\0"sv,
                                         "virtio,mmio"sv,
                                         "virtio,mmio2\0"sv,
                                         "pci\0"sv};
  Property* property = draw_property(tree, fault, {"compatible", "method", "device_type"});
  if (property != nullptr) {
    set_text(tree, *property, fault.pick(kWords));
  }
}

void lie_disabled(Tree& tree, View fault) {
  const uint64_t which = fault.below(tree.nodes.size());
  Property status{"status", {}};
  using namespace std::string_view_literals;
  set_text(tree, status, fault.boolean() ? "disabled\0"sv : "disabled"sv);
  append_property(tree, which, status);
}

/// Interrupts arrive at the root, which is no controller of a board.
void lie_root_controller(Tree& tree, View fault) {
  Property flag{"interrupt-controller", {}};
  Property cells{"#interrupt-cells", {}};
  constexpr uint32_t kCounts[] = {3, 1, 2};
  set_value(tree, flag, {});
  set_cells(tree, cells, {fault.pick(kCounts)});
  append_property(tree, 0, flag);
  append_property(tree, 0, cells);
}

/// Made of a device on an inner bus, where maps are.
void lie_bare_timer(Tree& tree, View fault) {
  std::vector<const Node*> devices;
  for (const Node& node : tree.nodes) {
    if (node.depth >= 2 && find_property(tree, node, "interrupts") != nullptr &&
        find_property(tree, node, "compatible") != nullptr) {
      devices.push_back(&node);
    }
  }
  const uint64_t index = fault.below(devices.size());
  if (devices.empty()) {
    return;
  }
  const Node& device = *devices[devices.size() - 1 - index];
  using namespace std::string_view_literals;
  set_text(tree, *find_property(tree, device, "compatible"), "arm,armv8-timer\0"sv);
  if (Property* reg = find_property(tree, device, "reg")) {
    reg->name = "registers";
  }
}

} // namespace

void lie_in_devices(Tree& tree, Lie lie, View fault) {
  switch (lie) {
  case Lie::kPhandle:
    return lie_phandle(tree, fault);
  case Lie::kInterrupt:
    return lie_interrupt(tree, fault);
  case Lie::kInterruptCells:
    return lie_interrupt_cells(tree, fault);
  case Lie::kInterruptMap:
    return lie_interrupt_map(tree, fault);
  case Lie::kMapCircle:
    return lie_map_circle(tree, fault);
  case Lie::kBusNumbers:
    return lie_bus_numbers(tree, fault);
  case Lie::kWindow:
    return lie_window(tree, fault);
  case Lie::kWord:
    return lie_word(tree, fault);
  case Lie::kDisabled:
    return lie_disabled(tree, fault);
  case Lie::kRootController:
    return lie_root_controller(tree, fault);
  default:
    return lie_bare_timer(tree, fault);
  }
}

} // namespace kiln::gen::fdt
