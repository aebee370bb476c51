// The second reader's devices against those that the generator meant.

#include <algorithm>

#include "sim/machine.h"
#include "targets/boot/fdt_compare.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

namespace gen = kiln::gen::fdt;
namespace read = worlds::fdt;

bool equal(const read::Range& a, const gen::Range& b) {
  return a.base == b.base && a.size == b.size;
}
bool equal(const read::Irq& a, const gen::Irq& b) {
  return a.number == b.number && a.edge == b.edge;
}
bool equal(const std::optional<read::Irq>& a, const std::optional<gen::Irq>& b) {
  return a && b ? equal(*a, *b) : a.has_value() == b.has_value();
}
bool equal(const read::PcieWindow& a, const gen::PcieWindow& b) {
  return a.space == b.space && a.prefetchable == b.prefetchable && a.bus == b.bus &&
         equal(a.cpu, b.cpu);
}
bool equal(const read::PcieRoute& a, const gen::PcieRoute& b) {
  return a.device == b.device && a.pin == b.pin && equal(a.irq, b.irq);
}
bool equal(const read::VirtioSlot& a, const gen::VirtioSlot& b) {
  return equal(a.registers, b.registers) && equal(a.irq, b.irq);
}
/// Declared, for the template below finds it only so.
bool equal(const read::PcieHost& a, const gen::PcieHost& b);

template <typename A, typename B> bool equal_all(const std::vector<A>& a, const std::vector<B>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const A& x, const B& y) { return equal(x, y); });
}
bool equal(const read::PcieHost& a, const gen::PcieHost& b) {
  return equal(a.config, b.config) && a.ecam == b.ecam && a.first_bus == b.first_bus &&
         a.last_bus == b.last_bus && equal_all(a.windows, b.windows) &&
         equal_all(a.routes, b.routes);
}

bool equal(const read::Controller& a, const gen::Controller& b) {
  return static_cast<unsigned>(a.kind) == static_cast<unsigned>(b.kind) &&
         equal(a.registers, b.registers) && equal(a.cpu_interface, b.cpu_interface) &&
         equal_all(a.redistributors, b.redistributors) && equal_all(a.its, b.its);
}

} // namespace

void check_facts(const read::Devices& read, const gen::Facts& facts, unsigned foreign) {
  KILN_CHECK(equal(read.controller, facts.controller),
             "the interrupt controller is read as one of kind %u at 0x%llx",
             static_cast<unsigned>(read.controller.kind), KILN_U64(read.controller.registers.base));
  KILN_CHECK(read.timer.has_value() == facts.timer.has_value(), "there is %s timer",
             read.timer ? "a" : "no");
  for (size_t i = 0; facts.timer && i < facts.timer->size(); ++i) {
    KILN_CHECK(equal((*read.timer)[i], (*facts.timer)[i]), "timer interrupt %zu is read as %u", i,
               (*read.timer)[i].number);
  }
  KILN_CHECK(read.psci == facts.psci, "firmware is called by '%.*s'", KILN_TEXT(read.psci));
  KILN_CHECK(equal_all(read.pcie, facts.pcie), "%zu PCIe hosts are read, %zu were meant",
             read.pcie.size(), facts.pcie.size());
  KILN_CHECK(equal_all(read.virtio, facts.virtio), "%zu virtio slots are read, %zu were meant",
             read.virtio.size(), facts.virtio.size());
  KILN_CHECK(read.interrupt_foreign == foreign, "%u interrupts go elsewhere, %u were meant",
             read.interrupt_foreign, foreign);
  const unsigned odd = read.address + read.controllers + read.interrupt_shape +
                       read.interrupt_parent + read.interrupt_lost + read.interrupt_number +
                       read.timers + read.psci_method + read.pcie_shape + read.pcie_buses +
                       read.pcie_config + read.pcie_window + read.window_empty;
  KILN_CHECK(odd == 0, "%u things of a board's devices without a lie make no sense", odd);
}

} // namespace kiln::targets
