// The board's CPUs (Devicetree Specification v0.4, 3.7 and 3.8).

#include "kernel-src/boot/board.h"

namespace clay {

void Board::read_cpus(const fdt::Node& cpus) {
  for (const fdt::Node node : cpus.children()) {
    const fdt::Property type = node.property("device_type");
    if (type.exists() ? text_of(type) == "cpu" : node.base_name() == "cpu") {
      read_cpu(node);
    }
  }
}

void Board::read_cpu(const fdt::Node& cpu) {
  if (!is_usable(cpu.property("status"))) {
    return;
  }
  const Result<fdt::RegList> reg = cpu.reg();
  // A CPU of several threads has an id for each; the first is the CPU's own.
  if (!reg.ok() || reg.value().count() == 0) {
    note(Oddity::kRegShape);
    return;
  }
  const Result<uint64_t> id = fdt::narrow(reg.value().address_at(0));
  if (!id.ok()) {
    note(Oddity::kRangeBeyond);
    return;
  }
  note_unless(cpus_.add(id.value()), Oddity::kCpusFull);
}

} // namespace clay
