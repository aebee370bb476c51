#include "kernel-src/boot/fdt_interrupt.h"

#include "kernel-src/boot/fdt_walk.h"
#include "kernel-src/lib/byte_reader.h"

namespace clay::fdt {
namespace {

constexpr size_t kCell = sizeof(uint32_t);

/// A count of cells in a property; `fallback` when there is none. kInvalid.
Result<uint32_t> count_in(const Property& property, uint32_t fallback, uint32_t most) {
  if (!property.exists()) {
    return fallback;
  }
  const uint32_t count = CLAY_TRY(property.u32());
  if (count > most) {
    return Error::kInvalid;
  }
  return count;
}

/// Of the device's first register, as much as is its address: what tells it apart on its bus.
Result<Bytes> unit_address(const Node& device) {
  const Cells& bus = device.parent_cells();
  const Result<Bytes> unit = device.property("reg").value().slice(0, bus.address * kCell);
  if (!bus.valid || !unit.ok()) {
    return Error::kInvalid;
  }
  return unit;
}

/// Whether both are the same where `mask` (of their size) has ones; without a mask, everywhere.
bool equal_under(Bytes mask, Bytes entry, Bytes unit, Bytes specifier) {
  for (size_t i = 0; i < entry.size(); ++i) {
    const uint8_t wanted = i < unit.size() ? unit[i] : specifier[i - unit.size()];
    const unsigned differs = static_cast<unsigned>(entry[i]) ^ wanted;
    if ((differs & (mask.empty() ? 0xFFu : mask[i])) != 0) {
      return false;
    }
  }
  return true;
}

} // namespace

Result<Domain> InterruptTree::domain(const Node& node) {
  Property cells;
  Property addresses;
  Property map;
  Property mask;
  bool is_controller = false;
  const Properties all = node.properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    take_first(cells, "#interrupt-cells", it);
    take_first(addresses, "#address-cells", it);
    take_first(map, "interrupt-map", it);
    take_first(mask, "interrupt-map-mask", it);
    is_controller = is_controller || it.is_named("interrupt-controller");
  }
  if (!cells.exists() || (!is_controller && !map.exists())) {
    return Error::kNoDevice;
  }
  const uint32_t count = CLAY_TRY(count_in(cells, 0, kMaxInterruptCells));
  if (count == 0) {
    return Error::kInvalid;
  }
  return Domain{.place = node.place(),
                .interrupt_cells = count,
                .address_cells = CLAY_TRY(count_in(addresses, 0, kMaxCells)),
                .is_controller = is_controller,
                .has_mask = mask.exists(),
                .map = map.value(),
                .mask = mask.value()};
}

const Result<Domain>& InterruptTree::by_phandle(uint32_t phandle) {
  for (const Known& known : known_) {
    if (known.phandle == phandle) {
      return known.domain;
    }
  }
  const Result<Node> node = find_phandle(tree_, phandle);
  Known& known = known_[oldest_];
  oldest_ = (oldest_ + 1) % kKnownPhandles;
  known.phandle = phandle;
  known.domain = node.ok() ? domain(node.value()) : Result<Domain>(Error::kNoDevice);
  return known.domain;
}

Result<Domain> InterruptTree::parent_of(const Path& device, const Property& own) {
  // 2.4.1: the nearest that says where interrupts go, be it by being where they go itself.
  Property parent = own;
  for (size_t level = device.depth(); !parent.exists(); --level) {
    if (level == 0) {
      return Error::kNoDevice;
    }
    const Node above = device.at(level - 1);
    if (above.property("#interrupt-cells").exists()) {
      return domain(above);
    }
    parent = above.property("interrupt-parent");
  }
  return by_phandle(CLAY_TRY(parent.u32()));
}

Result<Interrupt> InterruptTree::extended(Bytes list, size_t index) {
  ByteReader reader(list);
  for (;; --index) {
    if (reader.at_end()) {
      return Error::kNotFound;
    }
    const Result<uint32_t> phandle = reader.be32();
    if (!phandle.ok()) {
      return Error::kInvalid;
    }
    const Domain parent = CLAY_TRY(by_phandle(phandle.value()));
    const Result<Bytes> specifier = reader.bytes(parent.interrupt_cells * kCell);
    if (!specifier.ok()) {
      return Error::kInvalid;
    }
    if (index == 0) {
      return Interrupt{parent, {}, specifier.value()};
    }
  }
}

Result<Interrupt> InterruptTree::listed(const Path& device, const Property& list,
                                        const Property& parent, size_t index) {
  if (!list.exists()) {
    return Error::kNotFound;
  }
  const Domain at = CLAY_TRY(parent_of(device, parent));
  const size_t bytes = at.interrupt_cells * kCell;
  if (list.size() % bytes != 0) {
    return Error::kInvalid;
  }
  if (index >= list.size() / bytes) {
    return Error::kNotFound;
  }
  return Interrupt{at, {}, list.value().subspan(index * bytes, bytes)};
}

Result<Interrupt> InterruptTree::of(const Path& device, size_t index) {
  Property list;
  Property long_list;
  Property parent;
  const Node node = device.node();
  const Properties all = node.properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    take_first(list, "interrupts", it);
    take_first(long_list, "interrupts-extended", it);
    take_first(parent, "interrupt-parent", it);
  }
  // 2.4.1: interrupts-extended goes before interrupts.
  Interrupt interrupt = CLAY_TRY(long_list.exists() ? extended(long_list.value(), index)
                                                    : listed(device, list, parent, index));
  if (interrupt.at.is_controller) {
    return interrupt;
  }
  interrupt.unit = CLAY_TRY(unit_address(node));
  return resolve(interrupt);
}

Result<MapEntry> InterruptTree::entry(const Domain& nexus, size_t at, size_t unit_bytes) {
  ByteReader reader(nexus.map.from(at));
  const size_t child = unit_bytes + nexus.interrupt_cells * kCell;
  if (reader.remaining() < child + kCell) {
    return Error::kInvalid;
  }
  MapEntry entry{reader.bytes(child).take(), {CLAY_TRY(by_phandle(reader.be32().take())), {}, {}}};
  const size_t unit = entry.parent.at.address_cells * kCell;
  const size_t specifier = entry.parent.at.interrupt_cells * kCell;
  if (reader.remaining() < unit + specifier) {
    return Error::kInvalid;
  }
  entry.parent.unit = reader.bytes(unit).take();
  entry.parent.specifier = reader.bytes(specifier).take();
  entry.bytes = reader.position();
  return entry;
}

Result<Interrupt> InterruptTree::through_map(const Interrupt& interrupt) {
  const Domain& nexus = interrupt.at;
  if (nexus.has_mask && nexus.mask.size() != interrupt.unit.size() + interrupt.specifier.size()) {
    return Error::kInvalid;
  }
  for (size_t at = 0; at < nexus.map.size();) {
    const MapEntry entry = CLAY_TRY(this->entry(nexus, at, interrupt.unit.size()));
    if (equal_under(nexus.mask, entry.child, interrupt.unit, interrupt.specifier)) {
      return entry.parent;
    }
    at += entry.bytes;
  }
  return Error::kUnreachable;
}

Result<Interrupt> InterruptTree::resolve(Interrupt interrupt) {
  for (size_t maps = 0; !interrupt.at.is_controller; ++maps) {
    if (maps == kMaxMaps) {
      return Error::kTooMany;
    }
    interrupt = CLAY_TRY(through_map(interrupt));
  }
  return interrupt;
}

} // namespace clay::fdt
