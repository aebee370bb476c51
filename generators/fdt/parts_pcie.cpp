// PCIe hosts (binding host-generic-pci; PCI Bus Binding to Open Firmware, 2.2.1 and 3.1.1).

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint32_t kSpaceShift = 24;
constexpr uint32_t kPrefetchable = 0x4000'0000;
constexpr uint32_t kRelocatable = 0x8000'0000;
constexpr uint32_t kMemory32 = 2;
constexpr uint32_t kMemory64 = 3;
constexpr uint32_t kHostPhandle = 0xB000;
constexpr uint64_t kAxi = uint64_t{1} << 44;

/// An address on the PCI bus.
void append_address(Maker& m, uint32_t high, uint64_t address) {
  m.build.number(high, 1);
  m.build.number(address, 2);
}

void append_window(Maker& m, PcieHost& host, const PcieWindow& window, uint64_t outer) {
  append_address(m, window.space << kSpaceShift | (window.prefetchable ? kPrefetchable : 0),
                 window.bus);
  m.build.number(window.cpu.base, m.build.cells_around().address);
  m.build.number(window.cpu.size, 2);
  host.windows.push_back(window);
  host.windows.back().cpu.base += outer;
}

/// I/O, memory below 4 GiB, memory above, all shifted by the host's number.
void make_windows(Maker& m, PcieHost& host, uint64_t index, uint64_t outer) {
  const uint64_t shift = index << 40;
  const uint32_t at = m.build.begin_value();
  append_window(m, host, {1, false, 0, {0x3EFF'0000 + shift, 0x10000}}, outer);
  append_window(m, host, {kMemory32, false, 0x1000'0000, {0x1000'0000 + shift, 0x2EFF'0000}},
                outer);
  if (!m.data.chance(1, 4)) {
    const uint64_t base = uint64_t{0x80} << 32;
    append_window(m, host,
                  {kMemory64, m.data.boolean(), base, {base + shift, uint64_t{0x80} << 32}}, outer);
  }
  if (m.data.chance(1, 6)) { // up to the last byte of 32 bits
    append_window(m, host,
                  {kMemory32, false, 0xFFF0'0000, {(uint64_t{0x300} << 32) + shift, 0x10'0000}},
                  outer);
  }
  const uint64_t more = draw_count(m, 0, 0, 5);
  for (uint64_t i = 0; i < more; ++i) {
    append_window(m, host,
                  {kMemory32,
                   true,
                   0x8000'0000 + i * 0x10'0000,
                   {(uint64_t{0x200} << 32) + i * 0x10'0000, 0x10'0000}},
                  outer);
  }
  if (m.data.chance(1, 8)) { // configuration space, as old hosts have it here too
    append_address(m, 0, 0);
    m.build.number(0, m.build.cells_around().address);
    m.build.number(0x100'0000, 2);
  }
  m.build.end_value("ranges", at);
}

/// Pins of `slots` slots, going round over four lines.
void make_map(Maker& m, PcieHost& host) {
  const uint64_t slots = draw_count(m, 1, 3, 9);
  const uint32_t beside = m.data.chance(1, 6) ? 1 : 0; // the mask leaves it out
  const uint32_t at = m.build.begin_value();
  for (uint32_t slot = 0; slot < slots; ++slot) {
    for (uint32_t pin = 1; pin <= 4; ++pin) {
      const uint32_t device = slot << 11;
      const uint32_t line = 3 + (slot + pin - 1) % 4;
      append_address(m, device | beside, 0);
      m.build.number(pin, 1);
      m.build.number(m.kind.pic.phandle, 1);
      m.build.number(0, m.kind.pic.unit_cells);
      append_specifier(m, line, false);
      host.routes.push_back({device, pin, irq_of(m, line, false).value_or(Irq{})});
    }
  }
  m.build.end_value("interrupt-map", at);
  m.build.cells("interrupt-map-mask", {0xF800, 0, 0, 7});
  m.build.u32("#interrupt-cells", 1);
}

/// Where configuration space is, and which buses: mostly all 256.
void make_config(Maker& m, PcieHost& host, uint64_t index) {
  host.ecam = !m.data.chance(1, 8);
  const uint64_t bus_bytes = host.ecam ? 0x10'0000 : 0x1'0000;
  host.last_bus = 255;
  if (m.data.chance(1, 3)) {
    host.first_bus = m.data.boolean() ? 16 : 0;
    host.last_bus = host.first_bus + static_cast<uint32_t>(m.data.below(16));
    m.build.cells("bus-range", {host.first_bus, host.last_bus});
  } else if (!m.data.chance(1, 4)) {
    m.build.cells("bus-range", {0, 255});
  }
  host.config = {(uint64_t{0x40} << 32) + 0x1000'0000 + (index << 40),
                 (host.last_bus - host.first_bus + 1) * bus_bytes};
  m.build.reg({host.config});
  make_compatible(m, host.ecam ? "pci-host-ecam-generic" : "pci-host-cam-generic");
}

/// A bridge to a bus that sees the host's memory, and a slot on it.
void make_bridge(Maker& m, const PcieHost& host) {
  const PcieWindow& memory = host.windows[1];
  const uint32_t high = memory.space << kSpaceShift | kRelocatable;
  m.build.open("isa@1");
  m.build.text("device_type", "isa");
  m.build.cells("reg", {0x800, 0, 0, 0, 0});
  m.build.lay_down({2, 1});
  const uint32_t at = m.build.begin_value();
  m.build.number(0, 2);
  append_address(m, high, memory.bus);
  m.build.number(0x10000, 1);
  m.build.end_value("ranges", at);

  const uint32_t line = 70;
  m.build.open_at("virtio_mmio", 0x400);
  m.build.reg({{0x400, 0x200}});
  const uint32_t list = m.build.begin_value();
  m.build.number(m.kind.pic.phandle, 1);
  append_specifier(m, line, true);
  m.build.end_value("interrupts-extended", list);
  m.build.text("compatible", "virtio,mmio");
  m.build.close();
  m.build.close();
  m.facts.virtio.push_back({{memory.cpu.base + 0x400, 0x200}, irq_of(m, line, true)});
}

/// A bus around a host, whose addresses begin at kAxi for a CPU.
void open_axi(Maker& m) {
  m.build.open("axi");
  m.build.text("compatible", "simple-bus");
  m.build.lay_down({2, 2});
  const uint32_t at = m.build.begin_value();
  m.build.number(0, 2);
  m.build.number(kAxi, m.build.cells_around().address);
  m.build.number(kAxi, 2);
  m.build.end_value("ranges", at);
}

} // namespace

void make_pcie(Maker& m, uint64_t index) {
  const sim::Span span(m.tape, "pcie");
  PcieHost host;
  const bool nested = m.data.chance(1, 6);
  if (nested) {
    open_axi(m);
  }
  const uint64_t outer = nested ? kAxi : 0;
  m.build.open_at("pcie", 0x10000000 + index);
  make_config(m, host, index);
  host.config.base += outer;
  m.build.cells("msi-map", {0, 0x8010, 0, 0x10000});
  m.build.flag("dma-coherent");
  m.build.u32("linux,pci-domain", static_cast<uint32_t>(index));
  m.build.text("device_type", "pci");
  m.build.u32("phandle", kHostPhandle + static_cast<uint32_t>(index));
  m.build.lay_down({3, 2});
  make_windows(m, host, index, outer);
  if (!m.data.chance(1, 8)) {
    make_map(m, host);
  }
  const bool available = make_status(m);
  if (available && m.data.chance(1, 8)) {
    make_bridge(m, host);
  }
  m.build.close();
  if (nested) {
    m.build.close();
  }
  if (available) {
    m.facts.pcie.push_back(std::move(host));
  }
}

} // namespace kiln::gen::fdt
