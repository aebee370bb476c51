#pragma once
// The devices that a kernel needs before it can look for others, as a board's tree describes them.
// Registers are where a CPU sees them. Everything here is a copy: the tree may go.

#include "kernel-src/boot/bounded_list.h"
#include "kernel-src/boot/fdt_reg.h"

namespace clay {

/// An interrupt at the board's controller.
struct Irq {
  uint32_t number = 0; ///< GIC: INTID; PLIC: source
  bool edge = false;   ///< triggered by an edge; else by a level, or its controller does not say
};
/// Of a device that may have none.
struct OptionalIrq {
  bool exists = false;
  Irq irq;
};

/// The board's interrupt controller: the first one that Clay has a driver for.
struct InterruptController {
  static constexpr size_t kRegionsMax = 4;
  static constexpr size_t kItsMax = 8;
  enum class Kind : uint8_t { kNone, kGicV2, kGicV3, kPlic };

  Kind kind = Kind::kNone;
  fdt::Range registers;                                ///< GIC: the distributor's
  fdt::Range cpu_interface;                            ///< GICv2
  BoundedList<fdt::Range, kRegionsMax> redistributors; ///< GICv3: regions, at least one
  BoundedList<fdt::Range, kItsMax> its;                ///< GICv3: translation services for MSIs
};

/// The generic timer of an Arm CPU.
struct ArmTimer {
  bool exists = false;
  Irq secure;
  Irq physical;
  Irq virtual_timer;
  Irq hypervisor;
};

/// How firmware is called to start and stop CPUs.
enum class PsciMethod : uint8_t { kNone, kSmc, kHvc };

/// A PCIe host whose configuration space lies flat in memory.
struct PcieHost {
  static constexpr size_t kWindowsMax = 8;
  static constexpr size_t kRoutesMax = 32;
  enum class Space : uint8_t { kIo = 1, kMemory32 = 2, kMemory64 = 3 }; ///< as in phys.hi

  /// What a CPU reaches in `cpu`, devices have at `bus` and on.
  struct Window {
    Space space = Space::kIo;
    bool prefetchable = false;
    uint64_t bus = 0;
    fdt::Range cpu;
  };
  /// An INTx pin: that of the devices whose phys.hi, cut to `route_mask`, is `device`.
  struct Route {
    uint32_t device = 0;
    uint32_t pin = 0; ///< 1: INTA
    Irq irq;
  };

  fdt::Range config; ///< begins with the first bus
  bool ecam = false; ///< 4096 bytes a function; else 256 (CAM)
  uint8_t first_bus = 0;
  uint8_t last_bus = 0;
  uint32_t route_mask = 0;
  BoundedList<Window, kWindowsMax> windows;
  BoundedList<Route, kRoutesMax> routes;
};

/// A slot for a virtio device; whether one is in it only its registers say.
struct VirtioSlot {
  fdt::Range registers;
  OptionalIrq irq;
};

struct Devices {
  static constexpr size_t kPcieHostsMax = 4;
  static constexpr size_t kVirtioSlotsMax = 32;

  InterruptController controller;
  ArmTimer timer;
  PsciMethod psci = PsciMethod::kNone;
  BoundedList<PcieHost, kPcieHostsMax> pcie;
  BoundedList<VirtioSlot, kVirtioSlotsMax> virtio; ///< in the order of the tree
};

} // namespace clay
