// Interrupt controllers that are not the board's: where no device is looked for, in what is not
// available, behind the one that counts.

#include "generators/fdt/maker.h"

namespace kiln::gen::fdt {
namespace {

constexpr uint32_t kPhandle = 0x8020;
constexpr uint64_t kBase = 0x5800'0000;

/// The node that is open is like a controller that Clay knows, with registers in the cells around.
void make_like_controller(Maker& m) {
  constexpr const char* kKinds[] = {"arm,cortex-a15-gic", "riscv,plic0", "arm,gic-v3"};
  m.build.reg({{kBase, 0x1000}, {kBase + 0x1000, 0x1000}});
  m.build.string("compatible", m.data.pick(kKinds));
}

void make_cells(Maker& m, uint32_t count) {
  m.build.flag("interrupt-controller");
  m.build.u32("#interrupt-cells", count);
  m.build.u32("phandle", kPhandle);
}

} // namespace

void make_hidden_controller(Maker& m) {
  if (m.style.decoys && m.data.boolean()) {
    m.build.open("intc@58000000");
    make_like_controller(m);
    m.build.close();
  }
}

void make_disabled_controller(Maker& m) {
  if (!m.style.decoys || m.data.boolean()) {
    return;
  }
  const bool inside = m.data.boolean();
  if (inside) {
    m.build.open("off");
    m.build.lay_down(m.build.cells_around());
    m.build.flag("ranges");
    m.build.text("status", "disabled");
  }
  m.build.open("intc@58000000");
  make_like_controller(m);
  if (!inside) {
    m.build.text("status", "disabled");
  }
  m.build.close();
  if (inside) {
    m.build.close();
  }
}

void make_second_controller(Maker& m) {
  if (!m.style.decoys || m.facts.controller.kind == ControllerKind::kNone) {
    return;
  }
  const uint32_t cells = m.data.boolean() ? 3 : 1;
  m.build.open("intc@58000000");
  make_like_controller(m);
  make_cells(m, cells);
  m.build.close();
  m.build.open("virtio_mmio@58010000");
  m.build.reg({{kBase + 0x10000, 0x200}});
  m.build.u32("interrupt-parent", kPhandle);
  const uint32_t at = m.build.begin_value();
  for (uint32_t i = 0; i < cells; ++i) {
    m.build.number(1, 1);
  }
  m.build.end_value("interrupts", at);
  m.build.text("compatible", "virtio,mmio");
  m.build.close();
  m.facts.virtio.push_back({{kBase + 0x10000, 0x200}, std::nullopt});
  ++m.facts.foreign;
}

uint32_t open_wrapper(Maker& m) {
  if (!m.style.decoys || m.data.boolean()) {
    return 0;
  }
  // The inner one has a name that means something directly under the root only.
  constexpr const char* kNames[] = {"chosen", "cpus", "aliases", "reserved-memory", "inner"};
  m.build.open("platform");
  m.build.lay_down(m.build.cells_around());
  m.build.flag("ranges");
  m.build.open(m.data.pick(kNames));
  m.build.lay_down(m.build.cells_around());
  m.build.flag("ranges");
  if (m.data.chance(1, 4)) {
    m.build.text("device_type", "memory");
  }
  return 2;
}

void close_wrapper(Maker& m, uint32_t open) {
  for (; open != 0; --open) {
    m.build.close();
  }
}

} // namespace kiln::gen::fdt
