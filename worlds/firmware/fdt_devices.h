#pragma once
// The devices of a devicetree, for oracles: interrupt controller, timer, PSCI, PCIe hosts, virtio
// slots, as the bindings of arm,gic, arm,gic-v3, sifive,plic-1.0.0, arm,arch_timer, arm,psci,
// host-generic-pci and virtio,mmio describe them. It knows nothing of a kernel's limits.

#include <array>
#include <optional>
#include <vector>

#include "worlds/firmware/fdt_reader.h"

namespace kiln::worlds::fdt {

struct Range {
  uint64_t base = 0;
  uint64_t size = 0;
  bool operator==(const Range&) const = default;
};

struct Irq {
  uint32_t number = 0;
  bool edge = false;
  bool operator==(const Irq&) const = default;
};

enum class ControllerKind { kNone, kGicV2, kGicV3, kPlic };

struct Controller {
  ControllerKind kind = ControllerKind::kNone;
  size_t node = 0;
  Range registers;
  Range cpu_interface;
  std::vector<Range> redistributors;
  std::vector<Range> its;
};

struct PcieWindow {
  uint32_t space = 0; ///< 1: I/O, 2 and 3: memory of 32 and 64 bits
  bool prefetchable = false;
  uint64_t bus = 0;
  Range cpu;
};

struct PcieRoute {
  uint32_t device = 0; ///< phys.hi under the mask
  uint32_t pin = 0;
  Irq irq;
};

struct PcieHost {
  Range config;
  bool ecam = false;
  uint32_t first_bus = 0;
  uint32_t last_bus = 0;
  uint32_t route_mask = 0;
  std::vector<PcieWindow> windows;
  std::vector<PcieRoute> routes;
};

struct VirtioSlot {
  Range registers;
  std::optional<Irq> irq;
};

struct Devices {
  Controller controller;
  std::optional<std::array<Irq, 4>> timer; ///< secure, physical, virtual, hypervisor
  std::string_view psci;                   ///< "smc", "hvc", or nothing
  std::vector<PcieHost> pcie;
  std::vector<VirtioSlot> virtio;

  // --- What was left out
  unsigned address = 0; ///< a device that no CPU reaches
  unsigned controllers = 0;
  unsigned interrupt_shape = 0;
  unsigned interrupt_parent = 0;
  unsigned interrupt_lost = 0;
  unsigned interrupt_foreign = 0;
  unsigned interrupt_number = 0;
  unsigned timers = 0;
  unsigned psci_method = 0;
  unsigned pcie_shape = 0;
  unsigned pcie_buses = 0;
  unsigned pcie_config = 0;
  unsigned pcie_window = 0;
  unsigned window_empty = 0;

  // --- What was met on the way, for probes
  unsigned through_map = 0;   ///< interrupts that passed a map
  unsigned inherited = 0;     ///< interrupts whose parent was said further up
  unsigned several_buses = 0; ///< addresses that two buses or more translated
};

} // namespace kiln::worlds::fdt
