#pragma once
// Where a device's interrupts go: Devicetree Specification v0.4, 2.4.
//
//   fdt::InterruptTree interrupts(tree);
//   const fdt::Interrupt interrupt = CLAY_TRY(interrupts.of(path, 0));
//   // interrupt.specifier: in the cells of interrupt.controller, whose kind knows what they mean
//
// An interrupt tree lies across the device tree: interrupt-parent leads to a controller, or to a
// nexus whose interrupt-map leads on. Everything ends: a list or a map is gone through once a
// question, and an interrupt passes at most kMaxMaps maps. What it costs is not bounded further. A
// phandle that is not one of the last kKnownPhandles is looked for in the whole tree, so that a
// board of more than so many controllers and nexuses, each named in turn in its maps, takes steps
// as many as its maps have entries, squared, times kMaxMaps, times the tokens of the tree. Real
// boards name a few.

#include "kernel-src/boot/fdt_path.h"

namespace clay::fdt {

/// More cells than this in one interrupt specifier make no sense.
inline constexpr uint32_t kMaxInterruptCells = 8;
/// A rule of Clay's own: an interrupt passes through at most this many maps. Real ones pass one.
inline constexpr size_t kMaxMaps = 8;
/// So many phandles are remembered with what they lead to.
inline constexpr size_t kKnownPhandles = 8;

/// A node that interrupts arrive at: a controller, or a nexus that maps them (2.4.2, 2.4.3).
struct Domain {
  uint32_t place = 0; ///< the node's
  uint32_t interrupt_cells = 0;
  uint32_t address_cells = 0; ///< of a unit address in front of a specifier; none when not given
  bool is_controller = false;
  bool has_mask = false;
  Bytes map;  ///< interrupt-map
  Bytes mask; ///< interrupt-map-mask
};

/// An interrupt at one domain.
struct Interrupt {
  Domain at;
  Bytes unit; ///< address of the device it comes from; needed by maps only
  Bytes specifier;
};

/// An entry of an interrupt-map (2.4.3.1).
struct MapEntry {
  Bytes child; ///< unit address and specifier
  Interrupt parent;
  size_t bytes = 0; ///< of the whole entry
};

// Errors of all of these:
//   kInvalid    a property that does not fit the cells it is made of
//   kNoDevice   an interrupt parent that is not there, or neither controller nor nexus
//   kUnreachable, kTooMany   a map without an entry for it; more maps than kMaxMaps
class InterruptTree {
 public:
  explicit InterruptTree(const Tree& tree) : tree_(tree) {}

  /// Interrupt `index` of a device, where it arrives at a controller. kNotFound: it has no such
  /// interrupt.
  Result<Interrupt> of(const Path& device, size_t index);

  /// Followed through maps to a controller.
  Result<Interrupt> resolve(Interrupt interrupt);

  /// What `node` is as a domain.
  static Result<Domain> domain(const Node& node);
  /// The entry at byte `at` of the domain's map, for children with unit addresses of `unit_bytes`.
  Result<MapEntry> entry(const Domain& nexus, size_t at, size_t unit_bytes);

 private:
  Result<Domain> parent_of(const Path& device, const Property& own);
  /// Until the next call.
  const Result<Domain>& by_phandle(uint32_t phandle);
  Result<Interrupt> listed(const Path& device, const Property& list, const Property& parent,
                           size_t index);
  Result<Interrupt> extended(Bytes list, size_t index);
  Result<Interrupt> through_map(const Interrupt& interrupt);

  const Tree& tree_;
  struct Known {
    uint32_t phandle = 0; ///< 0 is nobody's
    Result<Domain> domain{Error::kNoDevice};
  };
  /// What the last phandles led to: mostly these are asked for again.
  Known known_[kKnownPhandles];
  size_t oldest_ = 0; ///< of known_: the one that a new phandle replaces
};

} // namespace clay::fdt
