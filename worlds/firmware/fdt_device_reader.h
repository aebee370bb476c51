#pragma once
// Reads the devices of a devicetree (fdt_devices.h).

#include "worlds/firmware/fdt_interrupts.h"

namespace kiln::worlds::fdt {

class DeviceReader {
 public:
  DeviceReader(const Tree& tree, const Buses& buses, size_t most_maps)
      : tree_(tree), buses_(buses), interrupts_(tree, buses, most_maps) {}

  /// Of those nodes, which may be devices and are available, in the order of the tree.
  void read(std::span<const size_t> nodes);
  std::optional<Irq> irq(size_t device, size_t index);

  Devices& devices() { return devices_; }

 private:
  void controller(size_t node);
  bool gic_v3(const Node& node);
  void device(size_t node);
  void timer(size_t node);
  void psci(const Node& node);
  void pcie(size_t node);
  bool buses_of(const Node& node, PcieHost& host);
  void windows(const Node& node, PcieHost& host);
  void window(const Node& node, std::span<const uint8_t> entry, PcieHost& host);
  void routes(size_t node, PcieHost& host);
  void virtio(size_t node);
  void its(const Node& node);

  std::optional<Irq> number(const Arrival& arrival);
  void count(Arrival::Fate fate);
  std::optional<Range> registers(const Node& node, size_t index);

  const Tree& tree_;
  const Buses& buses_;
  Interrupts interrupts_;
  Devices devices_;
};

} // namespace kiln::worlds::fdt
