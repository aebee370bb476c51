// A RISC-V board, a PowerPC board with its devices behind a translating bus, and a small 32-bit
// board with two such buses.

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

std::optional<Irq> make_ns16550(Maker& m, std::string_view name, uint64_t base, uint32_t line) {
  m.build.open_at(name, base);
  const std::optional<Irq> irq = make_interrupt(m, line, false);
  m.build.u32("clock-frequency", 3'686'400);
  m.build.reg({{base, 0x100}});
  m.build.text("compatible", "ns16550a");
  m.build.close();
  return irq;
}

void make_plic(Maker& m) {
  m.build.open("plic@c000000");
  m.facts.controller.kind = ControllerKind::kPlic;
  m.facts.controller.registers = {0xC000000, 0x600000};
  m.build.u32("phandle", m.kind.pic.phandle);
  m.build.u32("riscv,ndev", 95);
  m.build.reg({{0xC000000, 0x600000}});
  m.build.cells("interrupts-extended", {0x100, 11, 0x100, 9});
  m.build.flag("interrupt-controller");
  switch (m.data.below(4)) {
  case 2:
    m.build.text("compatible", "riscv,plic0");
    break;
  case 3:
    m.build.text("compatible", "sifive,plic-1.0.0");
    break;
  default:
    m.build.text("compatible", "sifive,plic-1.0.0\0riscv,plic0");
  }
  m.build.u32("#interrupt-cells", 1);
  m.build.lay_down({0, 0});
  m.build.close();
}

void make_clint(Maker& m) {
  m.build.open("clint@2000000");
  m.build.cells("interrupts-extended", {0x100, 3, 0x100, 7});
  m.build.reg({{0x2000000, 0x10000}});
  m.build.text("compatible", "sifive,clint0\0riscv,clint0");
  m.build.close();
}

void make_virtio(Maker& m) {
  const uint64_t count = draw_count(m, 2, 6, 28);
  for (uint64_t i = count; i > 0; --i) {
    const uint64_t base = 0x10000000 + i * 0x1000;
    make_virtio_slot(m, base, base, 0x1000, static_cast<uint32_t>(i), false);
  }
}

/// A controller that has a driver somewhere else.
void make_ipic(Maker& m) {
  m.build.open("pic@700");
  m.build.flag("interrupt-controller");
  m.build.lay_down({0, 0});
  m.build.u32("#interrupt-cells", m.kind.pic.cells);
  m.build.text("compatible", "fsl,ipic");
  m.build.reg({{0x700, 0x100}});
  m.build.u32("phandle", m.kind.pic.phandle);
  m.build.close();
}

void make_ethernet(Maker& m, uint64_t base) {
  m.build.open_at("ethernet", base);
  m.build.text("device_type", "network");
  m.build.text("compatible", "gianfar");
  m.build.reg({{base, 0x1000}});
  uint8_t address[6] = {0x02};
  m.data.noise(std::span(address).subspan(1));
  m.build.raw("local-mac-address", address);
  m.build.cells("interrupts", {32, 8, 33, 8, 34, 8});
  m.build.close();
}

/// Chip selects: two-cell addresses, mapped window by window.
void make_local_bus(Maker& m) {
  m.build.open("localbus@e0005000");
  m.build.text("compatible", "fsl,elbc\0simple-bus");
  m.build.reg({{0xE0005000, 0x1000}});
  m.build.lay_down({2, 1});
  m.build.cells("ranges", {0, 0, 0xFE000000, 0x800000, 1, 0, 0xE2800000, 0x8000});
  m.build.open("flash@0,0");
  m.build.text("compatible", "cfi-flash");
  m.build.reg({{0, 0x800000}});
  m.build.u32("bank-width", 2);
  m.build.close();
  m.build.close();
}

} // namespace

void riscv_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  m.build.open("poweroff");
  m.build.u32("value", 0x5555);
  m.build.text("compatible", "syscon-poweroff");
  m.build.close();
  m.build.open("soc");
  m.build.lay_down({2, 2});
  m.build.text("compatible", "simple-bus");
  m.build.flag("ranges");
  make_virtio(m);
  m.facts.serial_irq = make_ns16550(m, "serial", 0x10000000, 10);
  make_plic(m);
  make_clint(m);
  m.build.close();
}

void powerpc_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  make_local_bus(m);
  m.build.open("soc8313@e0000000");
  m.build.lay_down({1, 1});
  m.build.text("device_type", "soc");
  m.build.text("compatible", "simple-bus");
  m.build.cells("ranges", {0, 0xE0000000, 0x100000});
  m.build.open("wdt@200");
  m.build.reg({{0x200, 0x100}});
  m.build.close();
  make_ipic(m);
  m.facts.serial_irq = make_ns16550(m, "serial", 0x4500, 9);
  static_cast<void>(make_ns16550(m, "serial", 0x4600, 10));
  make_ethernet(m, 0x24000);
  m.build.close();
}

void small_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  m.build.open("bus@40000000");
  m.build.text("compatible", "simple-bus");
  m.build.lay_down({1, 1});
  m.build.cells("ranges", {0, 0x40000000, 0x10000000, 0x20000000, 0x60000000, 0x1000});
  make_gic_v2(m, 0x1000, 0x40001000);
  make_timer(m);
  for (uint32_t i = 0; i < 3; ++i) {
    m.build.open_at("gpio", 0x20000 + i * 0x400);
    m.build.reg({{0x20000 + i * 0x400, 0x400}});
    m.build.flag("gpio-controller");
    m.build.u32("#gpio-cells", 2);
    m.build.close();
  }
  m.build.open("apb@1000000");
  m.build.text("compatible", "simple-bus");
  m.build.lay_down({1, 1});
  m.build.cells("ranges", {0, 0x1000000, 0x100000});
  m.facts.serial_irq = make_ns16550(m, "uart", 0x2000, 33);
  m.build.close();
  m.build.close();
}

} // namespace kiln::gen::fdt
