// Clay's devices against those of the reader that was written from the specification, with Clay's
// limits applied to that one.

#include <algorithm>

#include "sim/machine.h"
#include "targets/boot/fdt_compare.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

using clay::Devices;
using clay::InterruptController;
using clay::Oddity;
using clay::PcieHost;

void check_range(const char* what, const clay::fdt::Range& got, const worlds::fdt::Range& want) {
  KILN_CHECK(got.base == want.base && got.size == want.size,
             "%s at 0x%llx + 0x%llx, not 0x%llx + 0x%llx", what, KILN_U64(got.base),
             KILN_U64(got.size), KILN_U64(want.base), KILN_U64(want.size));
}

void check_irq(const char* what, const clay::Irq& got, const worlds::fdt::Irq& want) {
  KILN_CHECK(got.number == want.number && got.edge == want.edge,
             "the interrupt of %s is %u by %s, not %u by %s", what, got.number,
             got.edge ? "edge" : "level", want.number, want.edge ? "edge" : "level");
}

/// How many of `all` are kept.
size_t check_kept(const char* what, size_t got, size_t all, size_t most) {
  const size_t kept = std::min(all, most);
  KILN_CHECK(got == kept, "%zu %s are kept, not %zu", got, what, kept);
  return kept;
}

template <typename Got>
void check_ranges(const char* what, const Got& got, const std::vector<worlds::fdt::Range>& want,
                  size_t most) {
  const size_t kept = check_kept(what, got.size(), want.size(), most);
  for (size_t i = 0; i < kept; ++i) {
    check_range(what, got[i], want[i]);
  }
}

InterruptController::Kind clay_kind(worlds::fdt::ControllerKind kind) {
  switch (kind) {
  case worlds::fdt::ControllerKind::kGicV2:
    return InterruptController::Kind::kGicV2;
  case worlds::fdt::ControllerKind::kGicV3:
    return InterruptController::Kind::kGicV3;
  case worlds::fdt::ControllerKind::kPlic:
    return InterruptController::Kind::kPlic;
  default:
    return InterruptController::Kind::kNone;
  }
}

void check_controller(const InterruptController& got, const worlds::fdt::Controller& want) {
  KILN_CHECK(got.kind == clay_kind(want.kind), "the interrupt controller is of kind %u, not %u",
             static_cast<unsigned>(got.kind), static_cast<unsigned>(want.kind));
  check_range("the interrupt controller", got.registers, want.registers);
  check_range("the GIC's CPU interface", got.cpu_interface, want.cpu_interface);
  check_ranges("redistributor regions", got.redistributors, want.redistributors,
               InterruptController::kRegionsMax);
  check_ranges("ITSs", got.its, want.its, InterruptController::kItsMax);
}

void check_timer(const clay::ArmTimer& got, const worlds::fdt::Devices& want) {
  KILN_CHECK(got.exists == want.timer.has_value(), "there is %s timer", got.exists ? "a" : "no");
  if (want.timer) {
    check_irq("the secure timer", got.secure, (*want.timer)[0]);
    check_irq("the physical timer", got.physical, (*want.timer)[1]);
    check_irq("the virtual timer", got.virtual_timer, (*want.timer)[2]);
    check_irq("the hypervisor's timer", got.hypervisor, (*want.timer)[3]);
  }
}

void check_windows(const PcieHost& got, const worlds::fdt::PcieHost& want) {
  const size_t kept =
      check_kept("PCIe windows", got.windows.size(), want.windows.size(), PcieHost::kWindowsMax);
  for (size_t i = 0; i < kept; ++i) {
    const PcieHost::Window& a = got.windows[i];
    const worlds::fdt::PcieWindow& b = want.windows[i];
    check_range("a PCIe window is", a.cpu, b.cpu);
    KILN_CHECK(static_cast<uint32_t>(a.space) == b.space && a.prefetchable == b.prefetchable &&
                   a.bus == b.bus,
               "a PCIe window of space %u at 0x%llx, not %u at 0x%llx",
               static_cast<unsigned>(a.space), KILN_U64(a.bus), b.space, KILN_U64(b.bus));
  }
}

void check_routes(const PcieHost& got, const worlds::fdt::PcieHost& want) {
  KILN_CHECK(got.route_mask == want.route_mask, "devices are told apart by 0x%x, not 0x%x",
             got.route_mask, want.route_mask);
  const size_t kept =
      check_kept("PCIe interrupts", got.routes.size(), want.routes.size(), PcieHost::kRoutesMax);
  for (size_t i = 0; i < kept; ++i) {
    const PcieHost::Route& a = got.routes[i];
    const worlds::fdt::PcieRoute& b = want.routes[i];
    KILN_CHECK(a.device == b.device && a.pin == b.pin, "PCIe interrupt %zu is of 0x%x pin %u", i,
               a.device, a.pin);
    check_irq("a PCIe pin", a.irq, b.irq);
  }
}

void check_pcie(const Devices& got, const worlds::fdt::Devices& want) {
  const size_t kept =
      check_kept("PCIe hosts", got.pcie.size(), want.pcie.size(), Devices::kPcieHostsMax);
  for (size_t i = 0; i < kept; ++i) {
    const PcieHost& a = got.pcie[i];
    const worlds::fdt::PcieHost& b = want.pcie[i];
    check_range("a PCIe host's configuration space is", a.config, b.config);
    KILN_CHECK(a.ecam == b.ecam && a.first_bus == b.first_bus && a.last_bus == b.last_bus,
               "a PCIe host of buses %u to %u, not %u to %u", a.first_bus, a.last_bus, b.first_bus,
               b.last_bus);
    check_windows(a, b);
    check_routes(a, b);
  }
}

void check_virtio(const Devices& got, const worlds::fdt::Devices& want) {
  const size_t kept =
      check_kept("virtio slots", got.virtio.size(), want.virtio.size(), Devices::kVirtioSlotsMax);
  for (size_t i = 0; i < kept; ++i) {
    check_range("a virtio slot is", got.virtio[i].registers, want.virtio[i].registers);
    check_optional_irq("a virtio slot", got.virtio[i].irq, want.virtio[i].irq);
  }
}

size_t beyond(size_t all, size_t most) { return all > most ? all - most : 0; }

size_t pcie_beyond(const worlds::fdt::Devices& want) {
  size_t sum = beyond(want.pcie.size(), Devices::kPcieHostsMax);
  for (const worlds::fdt::PcieHost& host : want.pcie) {
    sum += beyond(host.windows.size(), PcieHost::kWindowsMax) +
           beyond(host.routes.size(), PcieHost::kRoutesMax);
  }
  return sum;
}

void check_counts(const clay::Board& got, const worlds::fdt::Devices& want) {
  const worlds::fdt::Controller& controller = want.controller;
  const bool regions = controller.redistributors.size() > InterruptController::kRegionsMax;
  const struct {
    Oddity kind;
    size_t count;
  } counts[] = {{Oddity::kDeviceAddress, want.address},
                {Oddity::kController, want.controllers},
                {Oddity::kControllerFull,
                 (regions ? 1 : 0) + beyond(controller.its.size(), InterruptController::kItsMax)},
                {Oddity::kInterruptShape, want.interrupt_shape},
                {Oddity::kInterruptParent, want.interrupt_parent},
                {Oddity::kInterruptLost, want.interrupt_lost},
                {Oddity::kInterruptForeign, want.interrupt_foreign},
                {Oddity::kInterruptNumber, want.interrupt_number},
                {Oddity::kTimer, want.timers},
                {Oddity::kPsci, want.psci_method},
                {Oddity::kPcieShape, want.pcie_shape},
                {Oddity::kPcieBuses, want.pcie_buses},
                {Oddity::kPcieConfig, want.pcie_config},
                {Oddity::kPcieWindow, want.pcie_window},
                {Oddity::kPcieFull, pcie_beyond(want)},
                {Oddity::kVirtioFull, beyond(want.virtio.size(), Devices::kVirtioSlotsMax)}};
  for (const auto& count : counts) {
    KILN_CHECK(got.oddities(count.kind) == count.count, "noted %zu times, not %zu: %s",
               got.oddities(count.kind), count.count, clay::oddity_text(count.kind));
  }
}

} // namespace

void check_optional_irq(const char* what, const clay::OptionalIrq& got,
                        const std::optional<worlds::fdt::Irq>& want) {
  KILN_CHECK(got.exists == want.has_value(), "%s has %s interrupt", what, got.exists ? "an" : "no");
  if (want) {
    check_irq(what, got.irq, *want);
  }
}

void check_devices(const clay::Board& board, const worlds::fdt::Devices& want) {
  const Devices& got = board.devices();
  check_controller(got.controller, want.controller);
  check_timer(got.timer, want);
  const std::string_view method = got.psci == clay::PsciMethod::kSmc   ? "smc"
                                  : got.psci == clay::PsciMethod::kHvc ? "hvc"
                                                                       : "";
  KILN_CHECK(method == want.psci, "firmware is called by '%.*s', not '%.*s'", KILN_TEXT(method),
             KILN_TEXT(want.psci));
  check_pcie(got, want);
  check_virtio(got, want);
  check_counts(board, want);
}

} // namespace kiln::targets
