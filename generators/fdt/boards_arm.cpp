// Two 64-bit Arm boards: a virtual one as QEMU makes it, and a server with many cores.

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint32_t kGic = 0x8001;
constexpr uint32_t kClock = 0x8000;
constexpr uint32_t kIts = 0x8002;
constexpr uint32_t kSpi = 0;
constexpr uint32_t kPpi = 1;
constexpr uint32_t kEdge = 1;
constexpr uint32_t kLevel = 4;

void make_psci(Maker& m) {
  m.build.open("psci");
  m.build.text("compatible", "arm,psci-1.0\0arm,psci-0.2\0arm,psci");
  m.build.text("method", "hvc");
  m.build.u32("cpu_on", 0xC4000003);
  m.build.close();
}

void make_pl011(Maker& m, uint64_t base, uint32_t line) {
  m.build.open_at("pl011", base);
  m.build.text("clock-names", "uartclk\0apb_pclk");
  m.build.cells("clocks", {kClock, kClock});
  m.build.cells("interrupts", {kSpi, line, kLevel});
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

void make_timer(Maker& m) {
  m.build.open("timer");
  m.build.cells("interrupts",
                {kPpi, 13, kLevel, kPpi, 14, kLevel, kPpi, 11, kLevel, kPpi, 10, kLevel});
  m.build.flag("always-on");
  m.build.text("compatible", "arm,armv8-timer\0arm,armv7-timer");
  m.build.close();
}

void make_virtio(Maker& m) {
  const uint64_t count = draw_count(m, 2, 4, 40);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t base = 0x0A000000 + i * 0x200;
    m.build.open_at("virtio_mmio", base);
    m.build.flag("dma-coherent");
    m.build.cells("interrupts", {kSpi, static_cast<uint32_t>(16 + i), kEdge});
    m.build.reg({{base, 0x200}});
    m.build.text("compatible", "virtio,mmio");
    m.build.close();
  }
}

void make_gic_v2(Maker& m) {
  m.build.open("intc@8000000");
  m.build.u32("phandle", kGic);
  m.build.reg({{0x08000000, 0x10000}, {0x08010000, 0x10000}});
  m.build.text("compatible", "arm,cortex-a15-gic");
  m.build.flag("ranges");
  m.build.lay_down({2, 2});
  m.build.flag("interrupt-controller");
  m.build.u32("#interrupt-cells", 3);
  m.build.open("v2m@8020000");
  m.build.u32("phandle", kIts);
  m.build.reg({{0x08020000, 0x1000}});
  m.build.flag("msi-controller");
  m.build.text("compatible", "arm,gic-v2m-frame");
  m.build.close();
  m.build.close();
}

void make_gic_v3(Maker& m, uint64_t its) {
  m.build.open("interrupt-controller@8000000");
  m.build.u32("phandle", kGic);
  m.build.reg({{0x08000000, 0x10000}, {0x080A0000, 0xF60000}});
  m.build.u32("#redistributor-regions", 1);
  m.build.text("compatible", "arm,gic-v3");
  m.build.flag("ranges");
  m.build.lay_down({2, 2});
  m.build.flag("interrupt-controller");
  m.build.u32("#interrupt-cells", 3);
  for (uint64_t i = 0; i < its; ++i) {
    m.build.open_at("its", 0x08080000 + i * 0x20000);
    m.build.u32("phandle", static_cast<uint32_t>(kIts + i));
    m.build.reg({{0x08080000 + i * 0x20000, 0x20000}});
    m.build.u32("#msi-cells", 1);
    m.build.flag("msi-controller");
    m.build.text("compatible", "arm,gic-v3-its");
    m.build.close();
  }
  m.build.close();
}

void make_pcie_windows(Maker& m) {
  m.build.cells("ranges", {0x1000000, 0,    0,          0,    0x3EFF0000, 0,    0x10000,    //
                           0x2000000, 0,    0x10000000, 0,    0x10000000, 0,    0x2EFF0000, //
                           0x3000000, 0x80, 0,          0x80, 0,          0x80, 0});
  m.build.cells("interrupt-map-mask", {0x1800, 0, 0, 7});
  m.build.cells("interrupt-map", {0,     0, 0, 1, kGic, 0, 0, kSpi, 3, kLevel, //
                                  0,     0, 0, 2, kGic, 0, 0, kSpi, 4, kLevel, //
                                  0x800, 0, 0, 1, kGic, 0, 0, kSpi, 4, kLevel, //
                                  0x800, 0, 0, 2, kGic, 0, 0, kSpi, 5, kLevel});
}

void make_pcie(Maker& m) {
  m.build.open("pcie@10000000");
  m.build.u32("#interrupt-cells", 1);
  m.build.reg({{0x3F000000, 0x1000000}});
  m.build.cells("bus-range", {0, 15});
  m.build.cells("msi-map", {0, kIts, 0, 0x10000});
  m.build.flag("dma-coherent");
  m.build.u32("linux,pci-domain", 0);
  m.build.lay_down({3, 2});
  make_pcie_windows(m);
  m.build.text("device_type", "pci");
  m.build.text("compatible", "pci-host-ecam-generic");
  m.build.close();
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
  m.build.cells("interrupts", {kSpi, 2, kLevel});
  m.build.reg({{0x09010000, 0x1000}});
  m.build.text("compatible", "arm,pl031\0arm,primecell");
  m.build.close();
}

} // namespace

void arm64_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  make_psci(m);
  make_flash(m);
  if (m.data.boolean()) {
    make_gic_v3(m, 1);
  } else {
    make_gic_v2(m);
  }
  make_timer(m);
  make_clock(m);
  make_rtc(m);
  make_pl011(m, 0x09000000, 1);
  make_pcie(m);
  make_virtio(m);
}

void server_devices(Maker& m) {
  const sim::Span span(m.tape, "devices");
  make_psci(m);
  make_timer(m);
  make_gic_v3(m, m.data.between(1, 4));
  make_clock(m);
  make_pcie(m);
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
