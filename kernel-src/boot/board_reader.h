#pragma once
// Takes the devices of a board out of its tree, node by node.

#include "kernel-src/boot/board_interrupts.h"

namespace clay {

class DeviceReader {
 public:
  DeviceReader(const fdt::Tree& tree, Devices& out, Oddities& oddities)
      : tree_(tree), out_(out), oddities_(oddities), interrupts_(tree, out.controller, oddities) {}

  /// Looks for the interrupt controller, which the numbers of all others depend on. First.
  void find_controller();
  /// Takes the node that `walk` is at, which is available, for the device that it is.
  void take(const fdt::Walk& walk);

  const fdt::Tree& tree() const { return tree_; }
  BoardInterrupts& interrupts() { return interrupts_; }

 private:
  void take_timer(const fdt::Path& path);
  void take_psci(const fdt::Node& node);
  void take_pcie(const fdt::Walk& walk);
  void take_virtio(const fdt::Path& path);

  const fdt::Tree& tree_;
  Devices& out_;
  Oddities& oddities_;
  BoardInterrupts interrupts_;
};

/// What a node directly under the root is there for (3.3 to 3.8).
enum class Section : uint8_t { kDevice, kAliases, kMemory, kReservedMemory, kChosen, kCpus };
/// Of the node that `walk` is at, at depth 1.
Section section_of(const fdt::Walk& walk);

/// 2.3.4: a node without a status is available.
bool is_available(const fdt::Property& status);

} // namespace clay
