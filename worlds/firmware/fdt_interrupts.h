#pragma once
// The interrupt tree of a devicetree, for oracles (Devicetree Specification v0.4, 2.4).

#include <span>

#include "worlds/firmware/fdt_bus.h"

namespace kiln::worlds::fdt {

/// What became of an interrupt.
struct Arrival {
  enum class Fate {
    kArrives,
    kAbsent, ///< the device has no such interrupt
    kShape,  ///< a property does not fit its cells
    kParent, ///< a parent that is not there, or neither controller nor nexus
    kLost,   ///< a map says nothing of it, or too many maps
  };
  Fate fate = Fate::kArrives;
  size_t controller = 0; ///< index of the node
  std::span<const uint8_t> specifier;
  bool inherited = false; ///< its parent was said by a node around it
  unsigned maps = 0;      ///< that it passed
};

class Interrupts {
 public:
  Interrupts(const Tree& tree, const Buses& buses, size_t most_maps)
      : tree_(tree), buses_(buses), most_maps_(most_maps) {}

  Arrival of(size_t device, size_t index) const;

  /// Every entry of a nexus's map, in order, for children with addresses of three cells: calls
  /// take(address and specifier of the child, what becomes of it). What is wrong with the map ends
  /// it.
  template <typename Take> Arrival::Fate each_entry(size_t nexus, Take take) const {
    const std::optional<Facing> facing = facing_of(nexus);
    if (!facing) {
      return Arrival::Fate::kParent;
    }
    for (std::span<const uint8_t> rest = facing->map; !rest.empty();) {
      Line line;
      if (const Arrival::Fate fate = read_line(*facing, 12, rest, line);
          fate != Arrival::Fate::kArrives) {
        return fate;
      }
      take(line.child, settle(line.to, line.unit, line.specifier, 0));
      rest = rest.subspan(line.size);
    }
    return Arrival::Fate::kArrives;
  }

  /// Index of the first node with that phandle.
  std::optional<size_t> with_phandle(uint32_t phandle) const;

 private:
  /// A node as interrupts that arrive at it see it.
  struct Facing {
    size_t node = 0;
    bool sound = true; ///< its counts make sense
    size_t specifier = 0;
    size_t unit = 0;
    bool controller = false;
    std::span<const uint8_t> map;
    const Property* mask = nullptr;
  };
  /// An entry of a map.
  struct Line {
    std::span<const uint8_t> child;
    Facing to;
    std::span<const uint8_t> unit;
    std::span<const uint8_t> specifier;
    size_t size = 0;
  };
  std::optional<Facing> facing_of(size_t node) const;
  Arrival::Fate read_line(const Facing& nexus, size_t unit, std::span<const uint8_t> rest,
                          Line& out) const;
  Arrival settle(const Facing& at, std::span<const uint8_t> unit,
                 std::span<const uint8_t> specifier, unsigned maps) const;
  Arrival from_device(size_t device, const Facing& parent,
                      std::span<const uint8_t> specifier) const;
  Arrival extended(size_t device, std::span<const uint8_t> list, size_t index) const;

  const Tree& tree_;
  const Buses& buses_;
  size_t most_maps_;
};

} // namespace kiln::worlds::fdt
