// Bindings: arm,arch_timer (which interrupt is which), arm,psci, virtio,mmio.

#include "kernel-src/boot/board_reader.h"

#include "kernel-src/boot/board_pcie.h"

namespace clay {

bool is_available(const fdt::Property& status) {
  const StringView text = status.string().value_or({});
  return !status.exists() || text == "okay" || text == "ok";
}

Section section_of(const fdt::Walk& walk) {
  const StringView name = walk.path().node().name();
  if (name == "cpus") {
    return Section::kCpus;
  }
  if (name == "reserved-memory") {
    return Section::kReservedMemory;
  }
  if (name == "chosen") {
    return Section::kChosen;
  }
  if (name == "aliases") {
    return Section::kAliases;
  }
  return walk.device_type().string().value_or({}) == "memory" ? Section::kMemory : Section::kDevice;
}

void DeviceReader::find_controller() {
  fdt::Walk walk(tree_);
  while (walk.next() && !interrupts_.has_controller()) {
    const bool device = walk.depth() != 1 || section_of(walk) == Section::kDevice;
    if (walk.depth() == 0) {
      continue;
    }
    if (!device || !is_available(walk.status())) {
      walk.skip_inside();
    } else {
      interrupts_.take_controller(walk);
    }
  }
}

void DeviceReader::take(const fdt::Walk& walk) {
  const fdt::Property& compatible = walk.compatible();
  if (!compatible.exists()) {
    return;
  }
  if (compatible.lists("virtio,mmio")) {
    take_virtio(walk.path());
  } else if (is_pcie_host(compatible)) {
    take_pcie(walk);
  } else if (compatible.lists("arm,armv8-timer")) {
    take_timer(walk.path());
  } else if (compatible.lists("arm,psci-1.0") || compatible.lists("arm,psci-0.2") ||
             compatible.lists("arm,psci")) {
    take_psci(walk.path().node());
  } else {
    interrupts_.take_part(walk);
  }
}

/// The first timer whose four interrupts are all there counts.
void DeviceReader::take_timer(const fdt::Path& path) {
  if (out_.timer.exists) {
    return;
  }
  ArmTimer timer;
  timer.exists = true;
  Irq* const irqs[] = {&timer.secure, &timer.physical, &timer.virtual_timer, &timer.hypervisor};
  size_t index = 0;
  for (Irq* irq : irqs) {
    const OptionalIrq found = interrupts_.of(path, index++);
    if (!found.exists) {
      oddities_.note(Oddity::kTimer);
      return;
    }
    *irq = found.irq;
  }
  out_.timer = timer;
}

void DeviceReader::take_psci(const fdt::Node& node) {
  if (out_.psci != PsciMethod::kNone) {
    return;
  }
  const StringView method = node.property("method").string().value_or({});
  if (method == "smc") {
    out_.psci = PsciMethod::kSmc;
  } else if (method == "hvc") {
    out_.psci = PsciMethod::kHvc;
  } else {
    oddities_.note(Oddity::kPsci);
  }
}

void DeviceReader::take_pcie(const fdt::Walk& walk) {
  const Result<PcieHost> host = read_pcie_host(walk, interrupts_, oddities_);
  if (host.ok()) {
    oddities_.note_unless(out_.pcie.add(host.value()), Oddity::kPcieFull);
  }
}

void DeviceReader::take_virtio(const fdt::Path& path) {
  const Result<fdt::Range> registers = path.reg(0);
  if (!registers.ok()) {
    oddities_.note(Oddity::kDeviceAddress);
    return;
  }
  const VirtioSlot slot{registers.value(), interrupts_.of(path, 0)};
  oddities_.note_unless(out_.virtio.add(slot), Oddity::kVirtioFull);
}

} // namespace clay
