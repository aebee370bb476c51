#include "worlds/firmware/fdt_device_reader.h"

#include <algorithm>

namespace kiln::worlds::fdt {
namespace {

using Bytes = std::span<const uint8_t>;
using Fate = Arrival::Fate;

uint64_t number_at(Bytes bytes, size_t at, size_t size) {
  return static_cast<uint64_t>(number_in(bytes.subspan(at, size)));
}

bool is_like(const Tree& tree, const Node& node, std::initializer_list<std::string_view> names) {
  const Property* compatible = tree.property(node, Key::kCompatible);
  return compatible != nullptr &&
         std::any_of(names.begin(), names.end(), [compatible](std::string_view name) {
           return lists(compatible->value, name);
         });
}

ControllerKind kind_of(const Tree& tree, const Node& node) {
  if (is_like(tree, node, {"arm,gic-v3"})) {
    return ControllerKind::kGicV3;
  }
  if (is_like(tree, node, {"arm,gic-400", "arm,cortex-a9-gic", "arm,cortex-a15-gic"})) {
    return ControllerKind::kGicV2;
  }
  return is_like(tree, node, {"sifive,plic-1.0.0", "riscv,plic0"}) ? ControllerKind::kPlic
                                                                   : ControllerKind::kNone;
}

} // namespace

void DeviceReader::read(std::span<const size_t> nodes) {
  for (const size_t node : nodes) {
    if (devices_.controller.kind == ControllerKind::kNone) {
      controller(node);
    }
  }
  for (const size_t node : nodes) {
    device(node);
  }
}

std::optional<Range> DeviceReader::registers(const Node& node, size_t index) {
  unsigned translations = 0;
  const std::optional<Range> range = buses_.cpu_range(node, index, &translations);
  devices_.several_buses += range && translations > 1 ? 1 : 0;
  return range;
}

void DeviceReader::controller(size_t index) {
  const Node& node = tree_.nodes[index];
  const ControllerKind kind = kind_of(tree_, node);
  if (kind == ControllerKind::kNone) {
    return;
  }
  Controller& out = devices_.controller;
  const std::optional<Range> first = registers(node, 0);
  const std::optional<Range> second =
      kind == ControllerKind::kGicV2 ? registers(node, 1) : std::optional(Range());
  if (!first || !second || (kind == ControllerKind::kGicV3 && !gic_v3(node))) {
    ++devices_.controllers;
    out = {};
    return;
  }
  out.kind = kind;
  out.node = index;
  out.registers = *first;
  out.cpu_interface = *second;
}

/// Behind the distributor, as many regions as are said; one when nothing is said.
bool DeviceReader::gic_v3(const Node& node) {
  const Property* said = tree_.property(node, "#redistributor-regions");
  if (said != nullptr && said->value.size() != 4) {
    return false;
  }
  const uint64_t regions = said == nullptr ? 1 : number_at(said->value, 0, 4);
  for (uint64_t i = 0; i < regions; ++i) {
    const std::optional<Range> region = registers(node, static_cast<size_t>(i) + 1);
    if (!region) {
      return false;
    }
    devices_.controller.redistributors.push_back(*region);
  }
  return regions != 0;
}

void DeviceReader::device(size_t index) {
  const Node& node = tree_.nodes[index];
  if (is_like(tree_, node, {"virtio,mmio"})) {
    virtio(index);
  } else if (is_like(tree_, node, {"pci-host-ecam-generic", "pci-host-cam-generic"})) {
    pcie(index);
  } else if (is_like(tree_, node, {"arm,armv8-timer"})) {
    timer(index);
  } else if (is_like(tree_, node, {"arm,psci", "arm,psci-0.2", "arm,psci-1.0"})) {
    psci(node);
  } else if (is_like(tree_, node, {"arm,gic-v3-its"})) {
    its(node);
  }
}

void DeviceReader::its(const Node& node) {
  const Controller& gic = devices_.controller;
  if (gic.kind != ControllerKind::kGicV3 || node.parent != gic.node) {
    return;
  }
  if (const std::optional<Range> found = registers(node, 0)) {
    devices_.controller.its.push_back(*found);
  } else {
    ++devices_.address;
  }
}

void DeviceReader::timer(size_t node) {
  if (devices_.timer) {
    return;
  }
  std::array<Irq, 4> irqs;
  for (size_t i = 0; i < irqs.size(); ++i) {
    const std::optional<Irq> one = irq(node, i);
    if (!one) {
      ++devices_.timers;
      return;
    }
    irqs[i] = *one;
  }
  devices_.timer = irqs;
}

void DeviceReader::psci(const Node& node) {
  if (!devices_.psci.empty()) {
    return;
  }
  const Property* method = tree_.property(node, "method");
  const std::optional<std::string_view> text =
      method == nullptr ? std::nullopt : text_in(method->value);
  if (text == "smc" || text == "hvc") {
    devices_.psci = *text;
  } else {
    ++devices_.psci_method;
  }
}

void DeviceReader::virtio(size_t index) {
  const std::optional<Range> found = registers(tree_.nodes[index], 0);
  if (!found) {
    ++devices_.address;
    return;
  }
  devices_.virtio.push_back({*found, irq(index, 0)});
}

// --- PCIe

void DeviceReader::pcie(size_t index) {
  const Node& node = tree_.nodes[index];
  PcieHost host;
  host.ecam = is_like(tree_, node, {"pci-host-ecam-generic"});
  if (buses_.cell_bytes(node) != std::pair<size_t, size_t>(12, 8)) {
    ++devices_.pcie_shape;
    return;
  }
  const std::optional<Range> config = registers(node, 0);
  if (!config) {
    ++devices_.address;
    return;
  }
  host.config = *config;
  if (!buses_of(node, host)) {
    return;
  }
  windows(node, host);
  routes(index, host);
  devices_.pcie.push_back(std::move(host));
}

/// Configuration space has 1 MiB a bus, or 64 KiB without the extended registers.
bool DeviceReader::buses_of(const Node& node, PcieHost& host) {
  const Property* said = tree_.property(node, "bus-range");
  uint64_t first = 0;
  uint64_t last = 255;
  if (said != nullptr) {
    if (said->value.size() != 8) {
      ++devices_.pcie_buses;
      return false;
    }
    first = number_at(said->value, 0, 4);
    last = number_at(said->value, 4, 4);
  }
  if (last > 255 || last < first) {
    ++devices_.pcie_buses;
    return false;
  }
  const uint64_t fit = host.config.size >> (host.ecam ? 20 : 16);
  if (fit < last - first + 1) {
    ++devices_.pcie_config;
    last = first + fit - 1;
  }
  host.first_bus = static_cast<uint32_t>(first);
  host.last_bus = static_cast<uint32_t>(last);
  return fit > 0;
}

void DeviceReader::windows(const Node& node, PcieHost& host) {
  const Property* ranges = tree_.property(node, Key::kRanges);
  if (ranges == nullptr) {
    return;
  }
  // That the bus around has sound cells is known: reg was read with them.
  const size_t size = 12 + buses_.address_bytes_around(node).value_or(0) + 8;
  if (ranges->value.size() % size != 0) {
    ++devices_.pcie_shape;
    return;
  }
  for (Bytes rest = ranges->value; !rest.empty(); rest = rest.subspan(size)) {
    window(node, rest.first(size), host);
  }
}

/// phys.hi is npt000ss bbbbbbbb dddddfff rrrrrrrr.
void DeviceReader::window(const Node& node, Bytes entry, PcieHost& host) {
  PcieWindow window;
  window.space = entry[0] & 3;
  window.prefetchable = (entry[0] & 0x40) != 0;
  window.bus = number_at(entry, 4, 8);
  if (window.space == 0) {
    return;
  }
  window.cpu.size = number_at(entry, entry.size() - 8, 8);
  if (window.cpu.size == 0) {
    ++devices_.window_empty;
    return;
  }
  const std::optional<Wide> cpu =
      buses_.climb(node, number_in(entry.subspan(12, entry.size() - 20)));
  const Wide end = Wide{window.bus} + window.cpu.size;
  const Wide most = window.space == 3 ? kEndOfAddresses : Wide{1} << 32;
  if (!cpu || *cpu + window.cpu.size > kEndOfAddresses || end > most) {
    ++devices_.pcie_window;
    return;
  }
  window.cpu.base = static_cast<uint64_t>(*cpu);
  host.windows.push_back(window);
}

void DeviceReader::routes(size_t index, PcieHost& host) {
  const Node& node = tree_.nodes[index];
  if (tree_.property(node, "interrupt-map") == nullptr) {
    return;
  }
  const Property* cells = tree_.property(node, Key::kInterruptCells);
  const Property* mask = tree_.property(node, "interrupt-map-mask");
  if (cells == nullptr || cells->value.size() != 4 || number_in(cells->value) != 1 ||
      (mask != nullptr && mask->value.size() != 16)) {
    ++devices_.interrupt_shape;
    return;
  }
  host.route_mask =
      mask == nullptr ? 0xFFFFFFFF : static_cast<uint32_t>(number_at(mask->value, 0, 4));
  const Fate fate = interrupts_.each_entry(index, [&](Bytes child, const Arrival& arrival) {
    if (const std::optional<Irq> irq = number(arrival)) {
      host.routes.push_back({static_cast<uint32_t>(number_at(child, 0, 4)) & host.route_mask,
                             static_cast<uint32_t>(number_at(child, 12, 4)), *irq});
    }
  });
  count(fate);
}

// --- Interrupts

void DeviceReader::count(Fate fate) {
  devices_.interrupt_shape += fate == Fate::kShape ? 1 : 0;
  devices_.interrupt_parent += fate == Fate::kParent ? 1 : 0;
  devices_.interrupt_lost += fate == Fate::kLost ? 1 : 0;
}

std::optional<Irq> DeviceReader::irq(size_t device, size_t index) {
  const Arrival arrival = interrupts_.of(device, index);
  const std::optional<Irq> irq = number(arrival);
  devices_.through_map += irq && arrival.maps > 0 ? 1 : 0;
  devices_.inherited += irq && arrival.inherited ? 1 : 0;
  return irq;
}

std::optional<Irq> DeviceReader::number(const Arrival& arrival) {
  count(arrival.fate);
  if (arrival.fate != Fate::kArrives) {
    return std::nullopt;
  }
  const Controller& controller = devices_.controller;
  if (controller.kind == ControllerKind::kNone || arrival.controller != controller.node) {
    ++devices_.interrupt_foreign;
    return std::nullopt;
  }
  if (controller.kind == ControllerKind::kPlic) {
    const uint64_t source = number_at(arrival.specifier, 0, 4);
    if (source >= 1 && source <= 1023) {
      return Irq{static_cast<uint32_t>(source), false};
    }
    ++devices_.interrupt_number;
    return std::nullopt;
  }
  if (arrival.specifier.size() < 12) {
    ++devices_.interrupt_shape;
    return std::nullopt;
  }
  // INTIDs: PPIs 16 to 31, SPIs 32 to 1019; with GICv3.1 1056 to 1119 and 4096 to 5119 too.
  const uint64_t type = number_at(arrival.specifier, 0, 4);
  const uint64_t number = number_at(arrival.specifier, 4, 4);
  const bool extended = controller.kind == ControllerKind::kGicV3;
  uint64_t intid = UINT64_MAX;
  if (type == 0 && number + 32 <= 1019) {
    intid = number + 32;
  } else if (type == 1 && number + 16 <= 31) {
    intid = number + 16;
  } else if (type == 2 && extended && number + 4096 <= 5119) {
    intid = number + 4096;
  } else if (type == 3 && extended && number + 1056 <= 1119) {
    intid = number + 1056;
  }
  if (intid == UINT64_MAX) {
    ++devices_.interrupt_number;
    return std::nullopt;
  }
  return Irq{static_cast<uint32_t>(intid), (arrival.specifier[11] & 3) != 0};
}

} // namespace kiln::worlds::fdt
