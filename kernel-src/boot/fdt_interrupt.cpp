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
  Domain domain(node);
  const Properties all = node.properties();
  for (Properties::Iterator it = all.begin(); it != all.end(); ++it) {
    const auto take = [&it](Property& property, const char* name) {
      if (!property.exists() && it.is_named(name)) {
        property = Property(name, it.value());
      }
    };
    take(cells, "#interrupt-cells");
    take(addresses, "#address-cells");
    take(map, "interrupt-map");
    take(domain.mask, "interrupt-map-mask");
    domain.is_controller = domain.is_controller || it.is_named("interrupt-controller");
  }
  if (!cells.exists() || (!domain.is_controller && !map.exists())) {
    return Error::kNoDevice;
  }
  domain.interrupt_cells = CLAY_TRY(count_in(cells, 0, kMaxInterruptCells));
  domain.address_cells = CLAY_TRY(count_in(addresses, 0, kMaxCells));
  domain.map = map.value();
  if (domain.interrupt_cells == 0) {
    return Error::kInvalid;
  }
  return domain;
}

Result<Domain> InterruptTree::by_phandle(uint32_t phandle) {
  if (phandle != known_phandle_) {
    const Result<Node> node = find_phandle(tree_, phandle);
    known_phandle_ = phandle;
    known_ = node.ok() ? domain(node.value()) : Result<Domain>(Error::kNoDevice);
  }
  return known_;
}

Result<Domain> InterruptTree::parent_of(const Path& device) {
  // 2.4.1: the nearest that says where interrupts go, be it by being where they go itself.
  for (size_t level = device.depth();; --level) {
    const Node node = device.at(level);
    const Property parent = node.property("interrupt-parent");
    if (parent.exists()) {
      return by_phandle(CLAY_TRY(parent.u32()));
    }
    if (level == 0) {
      return Error::kNoDevice;
    }
    const Node above = device.at(level - 1);
    if (above.property("#interrupt-cells").exists()) {
      return domain(above);
    }
  }
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

Result<Interrupt> InterruptTree::of(const Path& device, size_t index) {
  const Node node = device.node();
  // 2.4.1: interrupts-extended goes before interrupts.
  const Property list = node.property("interrupts-extended");
  if (list.exists()) {
    Interrupt interrupt = CLAY_TRY(extended(list.value(), index));
    if (!interrupt.at.is_controller) {
      interrupt.unit = CLAY_TRY(unit_address(node));
    }
    return resolve(interrupt);
  }
  const Property interrupts = node.property("interrupts");
  if (!interrupts.exists()) {
    return Error::kNotFound;
  }
  const Domain parent = CLAY_TRY(parent_of(device));
  const size_t bytes = parent.interrupt_cells * kCell;
  if (interrupts.size() % bytes != 0) {
    return Error::kInvalid;
  }
  if (index >= interrupts.size() / bytes) {
    return Error::kNotFound;
  }
  Interrupt interrupt{parent, {}, interrupts.value().subspan(index * bytes, bytes)};
  if (!parent.is_controller) {
    interrupt.unit = CLAY_TRY(unit_address(node));
  }
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
  if (nexus.mask.exists() &&
      nexus.mask.size() != interrupt.unit.size() + interrupt.specifier.size()) {
    return Error::kInvalid;
  }
  for (size_t at = 0; at < nexus.map.size();) {
    const MapEntry entry = CLAY_TRY(this->entry(nexus, at, interrupt.unit.size()));
    if (equal_under(nexus.mask.value(), entry.child, interrupt.unit, interrupt.specifier)) {
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
