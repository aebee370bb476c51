#pragma once
// What a board is, as whoever wrote its tree knows it: the model that a kernel's own board
// description is held against. It knows nothing of a kernel's limits.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/fdt/builder.h"

namespace kiln::gen::fdt {

struct Irq {
  uint32_t number = 0;
  bool edge = false;
};

enum class ControllerKind { kNone, kGicV2, kGicV3, kPlic };

struct Controller {
  ControllerKind kind = ControllerKind::kNone;
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
  uint32_t device = 0;
  uint32_t pin = 0;
  Irq irq;
};

struct PcieHost {
  Range config;
  bool ecam = true;
  uint32_t first_bus = 0;
  uint32_t last_bus = 0;
  std::vector<PcieWindow> windows;
  std::vector<PcieRoute> routes;
};

struct VirtioSlot {
  Range registers;
  std::optional<Irq> irq;
};

struct Facts {
  struct Reserved {
    Range range;
    bool no_map = false;
  };

  std::string model;
  std::vector<Range> memory;      ///< usable, in the tree's order
  std::vector<Reserved> reserved; ///< the reservation block's, then /reserved-memory's
  std::vector<uint64_t> cpus;     ///< ids of those that run
  std::string bootargs;
  Range initrd;            ///< size 0: none
  bool has_serial = false; ///< /chosen names one
  Range serial;            ///< its registers, where a CPU sees them
  std::string serial_compatible;
  std::optional<Irq> serial_irq;
  Controller controller;
  std::optional<std::array<Irq, 4>> timer;
  std::string psci;
  std::vector<PcieHost> pcie;
  std::vector<VirtioSlot> virtio;
  unsigned foreign = 0; ///< interrupts of virtio slots at a controller that is no GIC and no PLIC
};

} // namespace kiln::gen::fdt
