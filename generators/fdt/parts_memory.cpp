// Memory, and what of it is taken (Devicetree Specification v0.4, 3.4, 3.5, 5.3).

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kSizes[] = {128 * kMiB, 64 * kMiB, 4096, 2048 * kMiB,
                               16 * kMiB,  1,         4095, 3 * kMiB + 512};

uint64_t most_in(uint32_t cells) { return cells >= 2 ? UINT64_MAX : (uint64_t{1} << 32) - 1; }

/// The `index`th range of memory, or one at the very end of what the root's cells can say.
Range draw_range(Maker& m, Cells cells, uint64_t index) {
  const uint64_t most = most_in(cells.address);
  Range range{(m.kind.ram + index * 0x10000000) & most, m.data.pick(kSizes)};
  if (m.data.chance(1, 16)) {
    range.size = 1 + m.data.below(65536);
    range.base = most - range.size + 1;
  } else if (m.data.chance(1, 16)) {
    range.base = m.data.edge64() & most;
  }
  const uint64_t room = most - range.base; // behind the first byte
  range.size = range.size - 1 > room ? room + 1 : range.size;
  return range;
}

void make_memory_node(Maker& m, uint64_t& made) {
  const sim::Span span(m.tape, "memory");
  const Cells cells = m.build.cells_here();
  const uint64_t count = draw_count(m, 1, 1, 20);
  Range ranges[32];
  for (uint64_t i = 0; i < count; ++i) {
    ranges[i] = draw_range(m, cells, made++);
  }
  m.build.open_at("memory", ranges[0].base);
  m.build.text("device_type", "memory");
  if (m.data.chance(1, 8)) {
    m.build.u32("numa-node-id", static_cast<uint32_t>(made));
  }
  const bool available = make_status(m);
  m.build.reg(std::span(ranges, count));
  m.build.close();
  if (available) {
    m.facts.memory.insert(m.facts.memory.end(), ranges, ranges + count);
  }
}

void make_reservations(Maker& m) {
  const uint64_t count = draw_count(m, 0, 2, 30);
  for (uint64_t i = 0; i < count; ++i) {
    const Range range{m.kind.ram + i * 0x3000, 4096 * (1 + m.data.below(16))};
    m.build.reserve(range.base, range.size);
    m.facts.reserved.push_back({range, false});
  }
}

void make_region(Maker& m, uint64_t index) {
  const Range range{m.kind.ram + 0x1000000 + index * 0x200000, 0x10000};
  const bool placed = !m.data.chance(1, 6);
  const bool no_map = m.data.boolean();
  if (!placed) {
    m.build.open("linux,cma");
    m.build.text("compatible", "shared-dma-pool");
    m.build.u32("size", 0x4000000);
    m.build.close();
    return;
  }
  m.build.open_at("firmware", range.base);
  if (no_map) {
    m.build.flag("no-map");
  }
  const bool available = make_status(m);
  m.build.reg({range});
  m.build.close();
  if (available) {
    m.facts.reserved.push_back({range, no_map});
  }
}

} // namespace

void make_memory(Maker& m) {
  uint64_t made = 0;
  const uint64_t nodes = draw_count(m, 1, 2, 10);
  for (uint64_t i = 0; i < nodes; ++i) {
    make_memory_node(m, made);
  }
}

void make_reserved(Maker& m) {
  const sim::Span span(m.tape, "reserved");
  make_reservations(m);
  const uint64_t regions = draw_count(m, 0, 3, 20);
  if (regions == 0) {
    return;
  }
  m.build.open("reserved-memory");
  m.has_regions = true;
  m.build.lay_down({2, m.data.boolean() ? 1u : 2u});
  m.build.flag("ranges");
  for (uint64_t i = 0; i < regions; ++i) {
    make_region(m, i);
  }
  m.build.close();
}

} // namespace kiln::gen::fdt
