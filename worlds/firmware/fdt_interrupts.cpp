#include "worlds/firmware/fdt_interrupts.h"

namespace kiln::worlds::fdt {
namespace {

using Fate = Arrival::Fate;
using Bytes = std::span<const uint8_t>;

Arrival failed(Fate fate) {
  Arrival arrival;
  arrival.fate = fate;
  return arrival;
}

uint32_t first_cell(Bytes bytes) { return static_cast<uint32_t>(number_in(bytes.first(4))); }

/// Bytes of so many cells; none when the count makes no sense.
std::optional<size_t> bytes_of_count(const Property& count, size_t most) {
  if (count.value.size() != 4 || number_in(count.value) > most) {
    return std::nullopt;
  }
  return static_cast<size_t>(number_in(count.value)) * 4;
}

} // namespace

std::optional<size_t> Interrupts::with_phandle(uint32_t phandle) const {
  if (phandle == 0 || phandle == 0xFFFFFFFF) {
    return std::nullopt;
  }
  for (size_t i = 0; i < tree_.nodes.size(); ++i) {
    const Property* own = tree_.property(tree_.nodes[i], Key::kPhandle);
    if (own != nullptr && own->value.size() == 4 && first_cell(own->value) == phandle) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<Interrupts::Facing> Interrupts::facing_of(size_t index) const {
  const Node& node = tree_.nodes[index];
  const Property* cells = tree_.property(node, Key::kInterruptCells);
  const Property* map = tree_.property(node, "interrupt-map");
  Facing facing;
  facing.node = index;
  facing.controller = tree_.property(node, "interrupt-controller") != nullptr;
  if (cells == nullptr || (!facing.controller && map == nullptr)) {
    return std::nullopt;
  }
  const Property* addresses = tree_.property(node, Key::kAddressCells);
  const std::optional<size_t> specifier = bytes_of_count(*cells, 8);
  const std::optional<size_t> unit =
      addresses == nullptr ? std::optional<size_t>(0) : bytes_of_count(*addresses, 4);
  facing.sound = specifier && unit && *specifier != 0;
  facing.specifier = specifier.value_or(0);
  facing.unit = unit.value_or(0);
  facing.map = map == nullptr ? Bytes() : map->value;
  facing.mask = tree_.property(node, "interrupt-map-mask");
  return facing;
}

Fate Interrupts::read_line(const Facing& nexus, size_t unit, Bytes rest, Line& out) const {
  const size_t child = unit + nexus.specifier;
  if (rest.size() < child + 4) {
    return Fate::kShape;
  }
  const std::optional<size_t> parent = with_phandle(first_cell(rest.subspan(child)));
  const std::optional<Facing> to = parent ? facing_of(*parent) : std::nullopt;
  if (!to) {
    return Fate::kParent;
  }
  out.size = child + 4 + to->unit + to->specifier;
  if (!to->sound || rest.size() < out.size) {
    return Fate::kShape;
  }
  out.child = rest.first(child);
  out.to = *to;
  out.unit = rest.subspan(child + 4, to->unit);
  out.specifier = rest.subspan(child + 4 + to->unit, to->specifier);
  return Fate::kArrives;
}

/// By recursion, from map to map.
Arrival Interrupts::settle(const Facing& at, Bytes unit, Bytes specifier, unsigned maps) const {
  if (at.controller) {
    Arrival arrival;
    arrival.controller = at.node;
    arrival.specifier = specifier;
    arrival.maps = maps;
    return arrival;
  }
  if (maps == most_maps_) {
    return failed(Fate::kLost);
  }
  std::vector<uint8_t> mine(unit.begin(), unit.end());
  mine.insert(mine.end(), specifier.begin(), specifier.end());
  std::vector<uint8_t> mask(mine.size(), 0xFF);
  if (at.mask != nullptr) {
    mask.assign(at.mask->value.begin(), at.mask->value.end());
  }
  if (mask.size() != mine.size()) {
    return failed(Fate::kShape);
  }
  for (Bytes rest = at.map; !rest.empty();) {
    Line line;
    if (const Fate fate = read_line(at, unit.size(), rest, line); fate != Fate::kArrives) {
      return failed(fate);
    }
    size_t same = 0;
    while (same < mine.size() && (line.child[same] & mask[same]) == (mine[same] & mask[same])) {
      ++same;
    }
    if (same == mine.size()) {
      return settle(line.to, line.unit, line.specifier, maps + 1);
    }
    rest = rest.subspan(line.size);
  }
  return failed(Fate::kLost);
}

Arrival Interrupts::from_device(size_t device, const Facing& parent, Bytes specifier) const {
  if (parent.controller) {
    return settle(parent, {}, specifier, 0);
  }
  // 2.4.3: a unit address in the cells of the bus that the device is on.
  const std::optional<size_t> size = buses_.address_bytes_around(tree_.nodes[device]);
  const Property* reg = tree_.property(tree_.nodes[device], Key::kReg);
  const Bytes unit = reg == nullptr ? Bytes() : reg->value;
  if (!size || unit.size() < *size) {
    return failed(Fate::kShape);
  }
  return settle(parent, unit.first(*size), specifier, 0);
}

Arrival Interrupts::extended(size_t device, Bytes list, size_t index) const {
  for (size_t i = 0; !list.empty(); ++i) {
    if (list.size() < 4) {
      return failed(Fate::kShape);
    }
    const std::optional<size_t> node = with_phandle(first_cell(list));
    const std::optional<Facing> parent = node ? facing_of(*node) : std::nullopt;
    if (!parent) {
      return failed(Fate::kParent);
    }
    list = list.subspan(4);
    if (!parent->sound || list.size() < parent->specifier) {
      return failed(Fate::kShape);
    }
    if (i == index) {
      return from_device(device, *parent, list.first(parent->specifier));
    }
    list = list.subspan(parent->specifier);
  }
  return failed(Fate::kAbsent);
}

Arrival Interrupts::of(size_t device, size_t index) const {
  const Node& node = tree_.nodes[device];
  if (const Property* list = tree_.property(node, "interrupts-extended"); list != nullptr) {
    return extended(device, list->value, index);
  }
  const Property* list = tree_.property(node, "interrupts");
  if (list == nullptr) {
    return failed(Fate::kAbsent);
  }
  // 2.4.1: interrupt-parent, of the device or whatever is around it; on the way up a node that
  // interrupts arrive at is the parent.
  std::optional<size_t> to;
  size_t said_by = device;
  for (size_t at = device;; at = tree_.nodes[at].parent) {
    said_by = at;
    if (at != device && tree_.property(tree_.nodes[at], Key::kInterruptCells) != nullptr) {
      to = at;
      break;
    }
    if (const Property* parent = tree_.property(tree_.nodes[at], Key::kInterruptParent)) {
      if (parent->value.size() != 4) {
        return failed(Fate::kShape);
      }
      to = with_phandle(first_cell(parent->value));
      break;
    }
    if (at == 0) {
      break;
    }
  }
  const std::optional<Facing> parent = to ? facing_of(*to) : std::nullopt;
  if (!parent) {
    return failed(Fate::kParent);
  }
  if (!parent->sound || list->value.size() % parent->specifier != 0) {
    return failed(Fate::kShape);
  }
  if (index >= list->value.size() / parent->specifier) {
    return failed(Fate::kAbsent);
  }
  Arrival arrival = from_device(device, *parent,
                                list->value.subspan(index * parent->specifier, parent->specifier));
  arrival.inherited = said_by != device;
  return arrival;
}

} // namespace kiln::worlds::fdt
