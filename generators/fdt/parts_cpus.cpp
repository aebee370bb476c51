// CPUs (Devicetree Specification v0.4, 3.7, 3.8).

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

/// Ids as boards give them: counted through, or by cluster as in an MPIDR.
uint64_t cpu_id(uint64_t index, uint64_t scheme) {
  constexpr uint64_t kPerCluster = 4;
  const uint64_t cluster = index / kPerCluster;
  const uint64_t core = index % kPerCluster;
  return scheme == 0 ? index : scheme == 1 ? cluster << 8 | core : cluster << 16 | core << 8;
}

void make_interrupt_controller(Maker& m, uint64_t id) {
  m.build.open("interrupt-controller");
  m.build.u32("#interrupt-cells", 1);
  m.build.lay_down({0, 0});
  m.build.flag("interrupt-controller");
  m.build.text("compatible", "riscv,cpu-intc");
  m.build.u32("phandle", static_cast<uint32_t>(0x100 + id));
  m.build.close();
}

void make_cpu(Maker& m, uint64_t id) {
  const sim::Span span(m.tape, "cpu");
  m.build.open_at("cpu", id);
  // Its type may be left out in newer trees: then the name says it.
  if (!m.data.chance(1, 8)) {
    m.build.text("device_type", "cpu");
  }
  m.build.string("compatible", m.kind.cpu);
  m.build.reg({{id, 0}});
  if (m.data.boolean()) {
    m.build.text("enable-method", "psci");
    m.build.cells("clocks", {0x8000, static_cast<uint32_t>(id)});
    m.build.u32("phandle", static_cast<uint32_t>(id + 1));
  }
  const bool available = make_status(m);
  if (m.data.chance(1, 4)) {
    make_interrupt_controller(m, id);
  }
  m.build.close();
  if (available) {
    m.facts.cpus.push_back(id);
  }
}

void make_map(Maker& m, uint64_t count) {
  m.build.open("cpu-map");
  m.build.open("cluster0");
  for (uint64_t i = 0; i < count && i < 4; ++i) {
    const char name[] = {'c', 'o', 'r', 'e', static_cast<char>('0' + i)};
    m.build.open({name, sizeof(name)});
    m.build.u32("cpu", static_cast<uint32_t>(i + 1));
    m.build.close();
  }
  m.build.close();
  m.build.close();
}

} // namespace

void make_cpus(Maker& m) {
  const sim::Span span(m.tape, "cpus");
  const uint64_t count = draw_count(m, 1, 4, 56);
  const uint64_t scheme = m.data.below(3);
  m.build.open("cpus");
  constexpr Cells kOdd[] = {{2, 0}, {3, 0}, {4, 0}};
  m.build.lay_down(m.style.odd_cells ? m.data.pick(kOdd) : m.kind.cpus);
  m.build.u32("timebase-frequency", 10'000'000);
  for (uint64_t i = 0; i < count; ++i) {
    make_cpu(m, cpu_id(i, scheme));
  }
  if (m.data.chance(1, 3)) {
    make_map(m, count);
  }
  m.build.close();
}

} // namespace kiln::gen::fdt
