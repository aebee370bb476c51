// Two 64-bit Arm boards: a virtual one as QEMU makes it, and a server with many cores.

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint32_t kClock = 0x8000;

void make_pl011(Maker& m, uint64_t base, uint32_t line) {
  m.build.open_at("pl011", base);
  m.build.text("clock-names", "uartclk\0apb_pclk");
  m.build.cells("clocks", {kClock, kClock});
  const std::optional<Irq> irq = make_interrupt(m, line, false);
  m.facts.serial_irq = base == m.kind.serial.base ? irq : m.facts.serial_irq;
  m.build.reg({{base, 0x1000}});
  m.build.text("compatible", "arm,pl011\0arm,primecell");
  m.build.close();
}

void make_clock(Maker& m) {
  m.build.open("apb-pclk");
  m.build.text("compatible", "fixed-clock");
  m.build.u32("#clock-cells", 0);
  m.build.u32("clock-frequency", 24'000'000);
  m.build.text("clock-output-names", "clk24mhz");
  m.build.u32("phandle", kClock);
  m.build.close();
}

void make_virtio(Maker& m) {
  const uint64_t count = draw_count(m, 2, 3, 28);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t base = 0x0A000000 + i * 0x200;
    make_virtio_slot(m, base, base, 0x200, static_cast<uint32_t>(16 + i), true);
  }
}

void make_flash(Maker& m) {
  m.build.open("flash@0");
  m.build.u32("bank-width", 4);
  m.build.reg({{0, 0x4000000}, {0x4000000, 0x4000000}});
  m.build.text("compatible", "cfi-flash");
  m.build.close();
}

void make_rtc(Maker& m) {
  m.build.open("pl031@9010000");
  m.build.text("clock-names", "apb_pclk");
  m.build.u32("clocks", kClock);
  static_cast<void>(make_interrupt(m, 2, false));
  m.build.reg({{0x09010000, 0x1000}});
  m.build.text("compatible", "arm,pl031\0arm,primecell");
  m.build.close();
}

} // namespace

void arm64_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  make_psci(m);
  make_flash(m);
  const uint32_t around = open_wrapper(m);
  if (m.data.below(3) != 2) {
    make_gic_v3(m, 1);
  } else {
    make_gic_v2(m, 0x08000000, 0x08000000);
  }
  close_wrapper(m, around);
  make_timer(m);
  make_clock(m);
  make_rtc(m);
  make_pl011(m, 0x09000000, 1);
  make_pcie(m, 0);
  make_virtio(m);
}

void server_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  make_psci(m);
  make_timer(m);
  make_gic_v3(m, m.data.between(1, 4));
  make_clock(m);
  const uint64_t hosts = draw_count(m, 1, 2, 5);
  for (uint64_t i = 0; i < hosts; ++i) {
    make_pcie(m, i);
  }
  m.build.open("soc");
  m.build.lay_down({2, 2});
  m.build.flag("ranges");
  for (uint32_t i = 0; i < 3; ++i) {
    make_pl011(m, 0x2'8000'0000 + i * 0x1000, 38 + i);
  }
  m.build.open("iommu@4f000000");
  m.build.reg({{0x4F000000, 0x20000}});
  m.build.u32("#iommu-cells", 1);
  m.build.text("compatible", "arm,smmu-v3");
  m.build.close();
  m.build.close();
}

} // namespace kiln::gen::fdt
