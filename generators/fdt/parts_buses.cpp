// Buses in buses (Devicetree Specification v0.4, 2.3.8, 2.4.3, 4.5): each with cells and addresses
// of its own, on the innermost virtio slots whose interrupts may pass the maps of two of them.

#include <algorithm>

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint64_t kSize = 0x10000; ///< of what each bus shows
constexpr uint64_t kSlotBytes = 0x1000;
constexpr uint64_t kMostLevels = 4;
constexpr uint32_t kFirstLine = 100;
constexpr uint32_t kFirstPhandle = 0xA000;

struct Plan {
  uint64_t levels;
  uint64_t maps;   ///< on the innermost buses
  uint32_t slots;  ///< on the innermost
  bool by_address; ///< the innermost map tells slots apart by address, not by pin
};

bool fits(uint64_t address, Cells cells) {
  return cells.address >= 2 || address + 8 * kSize <= UINT32_MAX;
}

/// An address for the window on a bus of those cells; mostly what the bus around it has.
uint64_t draw_base(Maker& m, Cells cells, uint64_t around) {
  const uint64_t bases[] = {around, 0, 0x1000'0000, 0x7'0000'0000};
  const uint64_t base = m.data.pick(bases);
  return fits(base, cells) ? base : 0;
}

void append_range(Maker& m, uint64_t child, uint64_t parent) {
  m.build.number(child, m.build.cells_here().address);
  m.build.number(parent, m.build.cells_around().address);
  m.build.number(kSize, m.build.cells_here().size);
}

/// What must not be taken for the entry of `base`: its neighbour below, which ends in front of it,
/// and on a bus of four cells an address of more bits, which on a PCI bus (of three) would be
/// another function's.
void append_neighbours(Maker& m, uint64_t base, uint64_t around) {
  if (base >= kSize && m.data.boolean()) {
    append_range(m, base - kSize, around + 2 * kSize);
  }
  if (m.build.cells_here().address == 4 && m.data.boolean()) {
    m.build.number(0x1000'0000, 1);
    m.build.number(base, 3);
    m.build.number(around + 3 * kSize, m.build.cells_around().address);
    m.build.number(kSize, m.build.cells_here().size);
  }
}

/// Entries for other addresses before and behind the one that counts.
void make_ranges(Maker& m, uint64_t base, uint64_t around) {
  if (base == around && m.data.boolean()) {
    return m.build.flag("ranges");
  }
  const uint32_t at = m.build.begin_value();
  append_neighbours(m, base, around);
  const uint64_t others = m.data.below(4);
  const uint64_t place = m.data.below(others + 1);
  for (uint64_t i = 0; i <= others; ++i) {
    const uint64_t away = i == place ? 0 : (i + 1) * kSize;
    append_range(m, base + away, around + (away == 0 ? 0 : away + kSize));
  }
  m.build.end_value("ranges", at);
}

/// An entry that differs from that of the first slot in one bit: the first of the address, or the
/// last of the specifier, which only a map that compares all of both can tell apart.
void append_near_miss(Maker& m, uint64_t base, uint32_t unit_cells) {
  const bool address = m.data.boolean();
  const uint64_t first = uint64_t{1} << (unit_cells == 1 ? 31 : 63); // that the mask compares
  m.build.number(base ^ (address ? first : 0), unit_cells);
  m.build.number(address ? 1 : 0, 1);
  m.build.number(m.kind.pic.phandle, 1);
  m.build.number(0, m.kind.pic.unit_cells);
  append_specifier(m, kFirstLine - 1, false);
}

/// From slots to the controller, or to the map of the bus around, which is phandle `outer`.
void make_map(Maker& m, const Plan& plan, uint64_t base, uint32_t outer, uint32_t outer_cells) {
  const uint32_t unit_cells = m.build.cells_here().address;
  const uint32_t at = m.build.begin_value();
  if (plan.by_address && m.data.boolean()) {
    append_near_miss(m, base, unit_cells);
  }
  for (uint32_t slot = 0; slot < plan.slots; ++slot) {
    m.build.number(plan.by_address ? base + slot * kSlotBytes : 0, unit_cells);
    m.build.number(plan.by_address ? 1 : slot + 1, 1);
    if (outer_cells != 0) {
      m.build.number(outer, 1);
      m.build.number(0, outer_cells);
      m.build.number(slot + 1, 1);
    } else {
      m.build.number(m.kind.pic.phandle, 1);
      m.build.number(0, m.kind.pic.unit_cells);
      append_specifier(m, kFirstLine + slot, false);
    }
  }
  m.build.end_value("interrupt-map", at);
  m.build.u32("#interrupt-cells", 1);
  if (plan.by_address && m.data.boolean()) {
    return; // without a mask everything is compared
  }
  const uint32_t mask = m.build.begin_value();
  m.build.number(plan.by_address ? UINT64_MAX : 0, unit_cells);
  m.build.number(plan.by_address ? 0xFFFF'FFFF : 7, 1);
  m.build.end_value("interrupt-map-mask", mask);
}

void make_slots(Maker& m, const Plan& plan, uint64_t base, uint64_t cpu) {
  for (uint32_t slot = 0; slot < plan.slots; ++slot) {
    const uint64_t offset = slot * kSlotBytes;
    const uint32_t line = kFirstLine + slot;
    if (plan.maps == 0) {
      make_virtio_slot(m, base + offset, cpu + offset, kSlotBytes, line, false);
      continue;
    }
    m.build.open_at("virtio_mmio", base + offset);
    m.build.reg({{base + offset, kSlotBytes}});
    m.build.u32("interrupts", plan.by_address ? 1 : slot + 1);
    m.build.text("compatible", "virtio,mmio");
    m.build.close();
    const std::optional<Irq> irq = irq_of(m, line, false);
    m.facts.virtio.push_back({{cpu + offset, kSlotBytes}, irq});
    m.facts.foreign += irq ? 0 : 1;
  }
}

Cells draw_cells(Maker& m) {
  constexpr Cells kCells[] = {{1, 1}, {2, 1}, {2, 2}, {3, 2}, {1, 2}, {4, 1}};
  return m.data.pick(kCells);
}

/// One bus of the plan, and those in it. `outer`: cells of the map around it, 0 for none.
void make_bus(Maker& m, const Plan& plan, uint64_t level, uint64_t around, uint64_t cpu,
              uint32_t outer) {
  m.build.open_at("fabric", around);
  m.build.text("compatible", "simple-bus");
  const bool available = make_status(m);
  const size_t seen = m.facts.virtio.size();
  const unsigned foreign = m.facts.foreign;
  const Cells cells = draw_cells(m);
  if (cells.address == 4 && m.data.boolean()) {
    m.build.text("device_type", "pci");
  }
  const bool maps = plan.levels - level <= plan.maps;
  // For what a map leads to, no count of cells means none.
  m.build.lay_down(cells, m.style.implicit_cells && !maps);
  const uint64_t base = draw_base(m, cells, around);
  make_ranges(m, base, around);
  if (maps) {
    // Only the innermost has slots; on the others an interrupt has no address.
    const bool innermost = level + 1 == plan.levels;
    Plan here = plan;
    here.by_address = plan.by_address && innermost;
    const uint32_t phandle = kFirstPhandle + static_cast<uint32_t>(level);
    m.build.u32("phandle", phandle);
    make_map(m, here, base, phandle - 1, outer);
  }
  if (level + 1 < plan.levels) {
    make_bus(m, plan, level + 1, base, cpu, maps ? cells.address : 0);
  } else {
    make_slots(m, plan, base, cpu);
  }
  m.build.close();
  if (!available) { // nor is what is in it
    m.facts.virtio.resize(seen);
    m.facts.foreign = foreign;
  }
}

/// Nexuses in a row, up to as many as Clay follows, and a slot whose interrupt passes all of them.
void make_chain(Maker& m) {
  constexpr uint32_t kChainPhandle = 0xC000;
  constexpr uint32_t kLine = 90;
  const uint32_t length = static_cast<uint32_t>(m.data.between(1, 8));
  const uint64_t at = 0x5900'0000;
  for (uint32_t i = 0; i < length; ++i) {
    m.build.open_at("nexus", i);
    m.build.u32("phandle", kChainPhandle + i);
    m.build.u32("#interrupt-cells", 1);
    const uint32_t map = m.build.begin_value();
    // The first is asked by a device with an address; the others have none in front.
    m.build.number(at, i == 0 ? m.build.cells_around().address : 0);
    m.build.number(1, 1);
    if (i + 1 < length) {
      m.build.number(kChainPhandle + i + 1, 1);
      m.build.number(1, 1);
    } else {
      m.build.number(m.kind.pic.phandle, 1);
      m.build.number(0, m.kind.pic.unit_cells);
      append_specifier(m, kLine, false);
    }
    m.build.end_value("interrupt-map", map);
    m.build.close();
  }
  m.build.open_at("virtio_mmio", at);
  m.build.reg({{at, 0x200}});
  m.build.u32("interrupt-parent", kChainPhandle);
  m.build.u32("interrupts", 1);
  m.build.text("compatible", "virtio,mmio");
  m.build.close();
  const std::optional<Irq> irq = irq_of(m, kLine, false);
  m.facts.virtio.push_back({{at, 0x200}, irq});
  m.facts.foreign += irq ? 0 : 1;
}

} // namespace

void make_buses(Maker& m) {
  if (!m.style.buses) {
    return;
  }
  if (m.data.chance(1, 3)) {
    make_chain(m);
  }
  const sim::Span span(m.tape, "buses");
  Plan plan{};
  plan.levels = m.data.between(1, kMostLevels);
  plan.maps = std::min(plan.levels, m.data.below(3));
  plan.slots = static_cast<uint32_t>(m.data.between(1, 4));
  plan.by_address = m.data.boolean();
  const uint64_t cpu = m.kind.root.address >= 2 ? 0x5'0000'0000 : 0x5000'0000;
  make_bus(m, plan, 0, cpu, cpu, 0);
}

} // namespace kiln::gen::fdt
