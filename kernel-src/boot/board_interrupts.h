#pragma once
// The board's interrupt controller, and the interrupts of its devices as numbers of that
// controller.

#include "kernel-src/boot/board_devices.h"
#include "kernel-src/boot/board_oddity.h"
#include "kernel-src/boot/fdt_interrupt.h"
#include "kernel-src/boot/fdt_walk.h"

namespace clay {

class BoardInterrupts {
 public:
  BoardInterrupts(const fdt::Tree& tree, InterruptController& controller, Oddities& oddities)
      : interrupts_(tree), controller_(controller), oddities_(oddities) {}

  /// Takes a node for the board's controller if it is one, and usable; there is none yet.
  void take_controller(const fdt::Walk& walk);
  /// Takes a node for a part of the controller, if it is one: an ITS stands inside its GIC.
  void take_part(const fdt::Walk& walk);

  /// Interrupt `index` of a device. What makes no sense is counted and does not exist.
  OptionalIrq of(const fdt::Path& device, size_t index);
  /// The pins of a PCIe host, from its interrupt-map.
  void read_routes(const fdt::Path& host, PcieHost& out);

  bool has_controller() const { return controller_.kind != InterruptController::Kind::kNone; }

 private:
  using Kind = InterruptController::Kind;
  Result<void> read_gic_v2(const fdt::Path& path);
  Result<void> read_gic_v3(const fdt::Path& path);
  OptionalIrq at_controller(const Result<fdt::Interrupt>& interrupt);
  void add_route(const fdt::MapEntry& entry, PcieHost& out);

  fdt::InterruptTree interrupts_;
  InterruptController& controller_;
  Oddities& oddities_;
  uint32_t place_ = 0; ///< of the controller's node, once there is one
};

} // namespace clay
