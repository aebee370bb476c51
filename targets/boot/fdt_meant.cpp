// The second reader against the generator's model: what was read is what was meant.

#include <algorithm>

#include "sim/machine.h"
#include "targets/boot/fdt_compare.h"
#include "targets/boot/texts.h"

namespace kiln::targets {
namespace {

bool equal(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool equal(const worlds::fdt::Range& a, const gen::fdt::Range& b) {
  return a.base == b.base && a.size == b.size;
}

} // namespace

void check_meant(const worlds::fdt::Tree& read, const gen::fdt::Product& product) {
  const gen::fdt::Tree& meant = product.tree;
  KILN_CHECK(read.fault == nullptr, "a sound blob is refused: %s", read.fault);
  KILN_CHECK(read.boot_cpu == product.boot_cpu, "the boot CPU is read as %u", read.boot_cpu);
  KILN_CHECK(read.nodes.size() == meant.nodes.size(), "%zu nodes are read, %zu were meant",
             read.nodes.size(), meant.nodes.size());
  KILN_CHECK(read.properties.size() == meant.properties.size(),
             "%zu properties are read, %zu were meant", read.properties.size(),
             meant.properties.size());
  for (size_t i = 0; i < read.nodes.size(); ++i) {
    const worlds::fdt::Node& a = read.nodes[i];
    const gen::fdt::Node& b = meant.nodes[i];
    KILN_CHECK(a.name == meant.text_of(b.name) && a.depth == b.depth && a.first == b.first &&
                   a.count == b.count,
               "node %zu is read as '%.*s'", i, KILN_TEXT(a.name));
  }
  for (size_t i = 0; i < read.properties.size(); ++i) {
    KILN_CHECK(read.properties[i].name == meant.properties[i].name.text &&
                   equal(read.properties[i].value, meant.bytes_of(meant.properties[i].value)),
               "property %zu is read as '%.*s'", i, KILN_TEXT(read.properties[i].name));
  }
  KILN_CHECK(std::equal(read.reservations.begin(), read.reservations.end(),
                        meant.reservations.begin(), meant.reservations.end(),
                        [](const auto& a, const auto& b) {
                          return a.address == b.address && a.size == b.size;
                        }),
             "%zu reservations are read, %zu were meant", read.reservations.size(),
             meant.reservations.size());
}

void check_facts(const worlds::fdt::Board& read, const gen::fdt::Facts& facts) {
  KILN_CHECK(read.model == facts.model, "the model is read as '%.*s'", KILN_TEXT(read.model));
  KILN_CHECK(read.cpus == facts.cpus, "%zu CPUs are read, %zu were meant", read.cpus.size(),
             facts.cpus.size());
  KILN_CHECK(
      std::equal(read.memory.begin(), read.memory.end(), facts.memory.begin(), facts.memory.end(),
                 [](const auto& a, const auto& b) { return equal(a, b); }),
      "%zu ranges of memory are read, %zu were meant", read.memory.size(), facts.memory.size());
  KILN_CHECK(std::equal(read.reserved.begin(), read.reserved.end(), facts.reserved.begin(),
                        facts.reserved.end(),
                        [](const auto& a, const auto& b) {
                          return equal(a.range, b.range) && a.no_map == b.no_map;
                        }),
             "%zu reserved ranges are read, %zu were meant", read.reserved.size(),
             facts.reserved.size());
  KILN_CHECK(read.bootargs == facts.bootargs, "the command line is read as '%.*s'",
             KILN_TEXT(read.bootargs));
  KILN_CHECK(equal(read.initrd, facts.initrd), "the initial RAM disk is read as 0x%llx + 0x%llx",
             KILN_U64(read.initrd.base), KILN_U64(read.initrd.size));
  KILN_CHECK(read.has_serial == facts.has_serial, "there is %s console",
             read.has_serial ? "a" : "no");
  KILN_CHECK(!read.has_serial || (equal(read.serial, facts.serial) &&
                                  read.serial_compatible == facts.serial_compatible),
             "the console is read as '%.*s' at 0x%llx", KILN_TEXT(read.serial_compatible),
             KILN_U64(read.serial.base));
  KILN_CHECK(!read.has_serial || read.serial_irq.has_value() == facts.serial_irq.has_value(),
             "the console has %s interrupt", read.serial_irq ? "an" : "no");
  const worlds::fdt::Irq irq = read.serial_irq.value_or(worlds::fdt::Irq{});
  const gen::fdt::Irq meant = facts.serial_irq.value_or(gen::fdt::Irq{});
  KILN_CHECK(!read.serial_irq || (irq.number == meant.number && irq.edge == meant.edge),
             "the console's interrupt is read as %u", irq.number);
  check_facts(read.devices, facts, facts.foreign + (facts.has_serial && !facts.serial_irq ? 1 : 0));
  const unsigned odd = read.reg_shape + read.range_beyond + read.range_empty + read.text_open +
                       read.initrd_odd + read.serial_path + read.serial_address;
  KILN_CHECK(odd == 0, "%u things of a board without a lie make no sense", odd);
}

} // namespace kiln::targets
