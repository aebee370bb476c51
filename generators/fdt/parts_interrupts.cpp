// Interrupts of devices, the controllers of Arm boards, timer and PSCI (Devicetree Specification
// v0.4, 2.4; bindings arm,gic, arm,gic-v3, arm,arch_timer, arm,psci).

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint32_t kFirstIts = 0x8010;
constexpr uint32_t kSpi = 0;
constexpr uint32_t kPpi = 1;
constexpr uint32_t kRising = 1;
constexpr uint32_t kHigh = 4;
/// INTIDs of the first SPI and the first PPI.
constexpr uint32_t kFirstSpi = 32;
constexpr uint32_t kFirstPpi = 16;

void make_controller_cells(Maker& m) {
  m.build.u32("phandle", m.kind.pic.phandle);
  if (m.kind.pic.unit_cells != 0) { // else not even said
    m.build.lay_down({m.kind.pic.unit_cells, 2});
  }
  m.build.flag("interrupt-controller");
  m.build.u32("#interrupt-cells", m.kind.pic.cells);
}

void make_its(Maker& m, uint64_t index) {
  const Range registers{0x0808'0000 + index * 0x20000, 0x20000};
  m.build.open_at("its", registers.base);
  m.build.u32("phandle", kFirstIts + static_cast<uint32_t>(index));
  m.build.reg({registers});
  m.build.u32("#msi-cells", 1);
  m.build.flag("msi-controller");
  make_compatible(m, "arm,gic-v3-its");
  if (make_status(m)) {
    m.facts.controller.its.push_back(registers);
  }
  m.build.close();
}

} // namespace

void append_specifier(Maker& m, uint32_t line, bool edge) {
  switch (m.kind.pic.kind) {
  case Pic::Kind::kGic:
    m.build.number(kSpi, 1);
    m.build.number(line, 1);
    return m.build.number(edge ? kRising : kHigh, 1);
  case Pic::Kind::kPlic:
    return m.build.number(line, 1);
  case Pic::Kind::kForeign:
    m.build.number(line, 1);
    return m.build.number(8, 1);
  }
}

std::optional<Irq> irq_of(const Maker& m, uint32_t line, bool edge) {
  switch (m.kind.pic.kind) {
  case Pic::Kind::kGic:
    return Irq{kFirstSpi + line, edge};
  case Pic::Kind::kPlic:
    return Irq{line, false};
  default:
    return std::nullopt;
  }
}

std::optional<Irq> make_interrupt(Maker& m, uint32_t line, bool edge) {
  const uint64_t form = m.data.below(16);
  const uint32_t at = m.build.begin_value();
  if (form >= 14) { // what goes before `interrupts`, should both be there
    m.build.number(m.kind.pic.phandle, 1);
    append_specifier(m, line, edge);
    m.build.end_value("interrupts-extended", at);
    if (form == 15) {
      m.build.cells("interrupts", {1, 1, 1});
    }
    return irq_of(m, line, edge);
  }
  append_specifier(m, line, edge);
  m.build.end_value("interrupts", at);
  if (form >= 12) {
    m.build.u32("interrupt-parent", m.kind.pic.phandle);
  }
  return irq_of(m, line, edge);
}

void make_virtio_slot(Maker& m, uint64_t at, uint64_t cpu, uint64_t size, uint32_t line,
                      bool edge) {
  m.build.open_at("virtio_mmio", at);
  m.build.flag("dma-coherent");
  const std::optional<Irq> irq = make_interrupt(m, line, edge);
  m.build.reg({{at, size}});
  make_compatible(m, "virtio,mmio");
  if (make_status(m)) {
    m.facts.virtio.push_back({{cpu, size}, irq});
    m.facts.foreign += irq ? 0 : 1;
  }
  m.build.close();
}

void make_gic_v2(Maker& m, uint64_t base, uint64_t cpu_base) {
  m.build.open_at("intc", base);
  // Behind the CPU interface those of a hypervisor and of its guests.
  const Range registers[] = {{base, 0x10000},
                             {base + 0x10000, 0x2000},
                             {base + 0x30000, 0x2000},
                             {base + 0x40000, 0x2000}};
  m.build.reg(std::span(registers).first(m.data.chance(1, 4) ? 4 : 2));
  constexpr const char* kKinds[] = {"arm,cortex-a15-gic", "arm,gic-400", "arm,cortex-a9-gic"};
  make_compatible(m, m.data.pick(kKinds));
  m.build.flag("ranges");
  make_controller_cells(m);
  if (m.data.chance(1, 16)) { // which a GICv2 cannot have
    m.build.open_at("its", base + 0x80000);
    m.build.reg({{base + 0x80000, 0x20000}});
    m.build.text("compatible", "arm,gic-v3-its");
    m.build.close();
  }
  m.build.close();
  m.facts.controller.kind = ControllerKind::kGicV2;
  m.facts.controller.registers = {cpu_base, 0x10000};
  m.facts.controller.cpu_interface = {cpu_base + 0x10000, 0x2000};
}

void make_gic_v3(Maker& m, uint64_t usual_its) {
  m.build.open("interrupt-controller@8000000");
  const uint64_t regions = draw_count(m, 1, 2, 5);
  Range registers[16] = {{0x0800'0000, 0x10000}};
  for (uint64_t i = 0; i < regions; ++i) {
    registers[1 + i] = {0x1'0000'0000 + i * 0x100'0000, 0xF6'0000};
    m.facts.controller.redistributors.push_back(registers[1 + i]);
  }
  // The CPU interfaces of GICv2, which some have besides.
  const uint64_t more = m.data.chance(1, 8) ? 3 : 0;
  for (uint64_t i = 0; i < more; ++i) {
    registers[1 + regions + i] = {0x2C00'0000 + i * 0x10000, 0x2000};
  }
  m.build.reg(std::span(registers).first(1 + regions + more));
  if (regions != 1 || m.data.boolean()) {
    m.build.u32("#redistributor-regions", static_cast<uint32_t>(regions));
  }
  make_compatible(m, "arm,gic-v3");
  m.build.flag("ranges");
  make_controller_cells(m);
  m.facts.controller.kind = ControllerKind::kGicV3;
  m.facts.controller.registers = registers[0];
  const uint64_t its = draw_count(m, usual_its, 0, 7);
  for (uint64_t i = 0; i < its; ++i) {
    make_its(m, i);
  }
  m.build.close();
}

void make_timer(Maker& m) {
  constexpr uint32_t kLines[] = {13, 14, 11, 10};
  m.build.open("timer");
  const bool extended = m.data.chance(1, 6);
  const uint32_t at = m.build.begin_value();
  std::array<Irq, 4> irqs;
  for (size_t i = 0; i < irqs.size(); ++i) {
    if (extended) {
      m.build.number(m.kind.pic.phandle, 1);
    }
    m.build.number(kPpi, 1);
    m.build.number(kLines[i], 1);
    m.build.number(kHigh | 0x100, 1); // for the first CPU, as GICv2 wants it said
    irqs[i] = {kFirstPpi + kLines[i], false};
  }
  if (extended) {
    m.build.end_value("interrupts-extended", at);
  } else {
    m.build.end_value("interrupts", at);
  }
  m.build.flag("always-on");
  m.build.text("compatible", "arm,armv8-timer\0arm,armv7-timer");
  m.build.close();
  m.facts.timer = irqs;
}

void make_psci(Maker& m) {
  m.build.open("psci");
  constexpr const char* kVersions[] = {"arm,psci-1.0", "arm,psci-0.2", "arm,psci"};
  make_compatible(m, m.data.pick(kVersions));
  m.facts.psci = m.data.chance(1, 3) ? "smc" : "hvc";
  m.build.string("method", m.facts.psci);
  m.build.u32("cpu_on", 0xC4000003);
  m.build.close();
  if (m.data.chance(1, 8)) { // the first one counts
    m.build.open("firmware");
    m.build.open("psci");
    m.build.text("compatible", "arm,psci");
    m.build.text("method", "neither");
    m.build.close();
    m.build.close();
  }
}

} // namespace kiln::gen::fdt
