// Bindings: arm,gic and arm,gic-v3 (registers; type, number, flags), sifive,plic-1.0.0 (a source).

#include "kernel-src/boot/board_interrupts.h"

#include "kernel-src/lib/byte_reader.h"

namespace clay {
namespace {

using Kind = InterruptController::Kind;

Kind kind_of(const fdt::Property& compatible) {
  if (compatible.lists("arm,gic-v3")) {
    return Kind::kGicV3;
  }
  if (compatible.lists("arm,gic-400") || compatible.lists("arm,cortex-a15-gic") ||
      compatible.lists("arm,cortex-a9-gic")) {
    return Kind::kGicV2;
  }
  if (compatible.lists("riscv,plic0") || compatible.lists("sifive,plic-1.0.0")) {
    return Kind::kPlic;
  }
  return Kind::kNone;
}

/// Interrupts of one type: `count` numbers, INTIDs from `first` on (GICv3 specification, 2.2.1).
struct GicType {
  uint32_t first;
  uint32_t count;
};
/// SPI, PPI, and, since GICv3.1, extended SPI and PPI: as the first cell counts them.
constexpr GicType kGicTypes[] = {{32, 988}, {16, 16}, {4096, 1024}, {1056, 64}};
constexpr uint32_t kGicV2Types = 2;
/// Flags in the third cell: rising or falling edge.
constexpr uint32_t kEdges = 3;

Result<Irq> gic_irq(Bytes specifier, uint32_t types) {
  ByteReader reader(specifier);
  const uint32_t type = CLAY_TRY(reader.be32());
  const uint32_t number = CLAY_TRY(reader.be32());
  const uint32_t flags = CLAY_TRY(reader.be32());
  if (type >= types || number >= kGicTypes[type].count) {
    return Error::kOutOfRange;
  }
  return Irq{kGicTypes[type].first + number, (flags & kEdges) != 0};
}

/// Sources are numbered from 1 (RISC-V PLIC specification, chapter 1).
Result<Irq> plic_irq(Bytes specifier) {
  constexpr uint32_t kSources = 1024;
  const uint32_t source = CLAY_TRY(ByteReader(specifier).be32());
  if (source == 0 || source >= kSources) {
    return Error::kOutOfRange;
  }
  return Irq{source, false};
}

Result<Irq> irq_at(Kind kind, Bytes specifier) {
  switch (kind) {
  case Kind::kGicV2:
    return gic_irq(specifier, kGicV2Types);
  case Kind::kGicV3:
    return gic_irq(specifier, sizeof(kGicTypes) / sizeof(kGicTypes[0]));
  default:
    return plic_irq(specifier);
  }
}

Oddity oddity_of(Error error) {
  switch (error) {
  case Error::kNoDevice:
    return Oddity::kInterruptParent;
  case Error::kUnreachable:
  case Error::kTooMany:
    return Oddity::kInterruptLost;
  default:
    return Oddity::kInterruptShape;
  }
}

} // namespace

void BoardInterrupts::take_controller(const fdt::Walk& walk) {
  const Kind kind = kind_of(walk.compatible());
  if (kind == Kind::kNone) {
    return;
  }
  const Result<fdt::Range> registers = walk.path().reg(0);
  if (!registers.ok()) {
    oddities_.note(Oddity::kController);
    return;
  }
  InterruptController& out = controller_;
  out.registers = registers.value();
  const Result<void> rest = kind == Kind::kGicV2   ? read_gic_v2(walk.path())
                            : kind == Kind::kGicV3 ? read_gic_v3(walk.path())
                                                   : Result<void>();
  if (!rest.ok()) {
    oddities_.note(Oddity::kController);
    out = InterruptController();
    return;
  }
  out.kind = kind;
  place_ = walk.path().node().place();
}

Result<void> BoardInterrupts::read_gic_v2(const fdt::Path& path) {
  controller_.cpu_interface = CLAY_TRY(path.reg(1));
  return {};
}

Result<void> BoardInterrupts::read_gic_v3(const fdt::Path& path) {
  const fdt::Property property = path.node().property("#redistributor-regions");
  const uint32_t regions = property.exists() ? CLAY_TRY(property.u32()) : 1;
  if (regions == 0) {
    return Error::kInvalid;
  }
  bool all = true;
  for (uint32_t i = 0; i < regions; ++i) {
    const fdt::Range region = CLAY_TRY(path.reg(size_t{1} + i));
    all = all && controller_.redistributors.add(region);
  }
  oddities_.note_unless(all, Oddity::kControllerFull);
  return {};
}

void BoardInterrupts::take_part(const fdt::Walk& walk) {
  if (controller_.kind != Kind::kGicV3 || !walk.compatible().lists("arm,gic-v3-its") ||
      walk.path().at(walk.depth() - 1).place() != place_) {
    return;
  }
  const Result<fdt::Range> registers = walk.path().reg(0);
  if (!registers.ok()) {
    oddities_.note(Oddity::kDeviceAddress);
    return;
  }
  oddities_.note_unless(controller_.its.add(registers.value()), Oddity::kControllerFull);
}

OptionalIrq BoardInterrupts::at_controller(const Result<fdt::Interrupt>& interrupt) {
  if (!interrupt.ok()) {
    oddities_.note(oddity_of(interrupt.error()));
    return {};
  }
  if (!has_controller() || interrupt.value().at.place != place_) {
    oddities_.note(Oddity::kInterruptForeign);
    return {};
  }
  const Result<Irq> irq = irq_at(controller_.kind, interrupt.value().specifier);
  if (!irq.ok()) {
    oddities_.note(irq.failed_with(Error::kOutOfRange) ? Oddity::kInterruptNumber
                                                       : Oddity::kInterruptShape);
    return {};
  }
  return {true, irq.value()};
}

OptionalIrq BoardInterrupts::of(const fdt::Path& device, size_t index) {
  const Result<fdt::Interrupt> interrupt = interrupts_.of(device, index);
  return interrupt.failed_with(Error::kNotFound) ? OptionalIrq() : at_controller(interrupt);
}

void BoardInterrupts::add_route(const fdt::MapEntry& entry, PcieHost& out) {
  ByteReader child(entry.child);
  const uint32_t device = child.be32().take();
  const uint32_t pin = child.be32_at(3 * sizeof(uint32_t)).take();
  const OptionalIrq irq = at_controller(interrupts_.resolve(entry.parent));
  if (irq.exists) {
    oddities_.note_unless(out.routes.add({device & out.route_mask, pin, irq.irq}),
                          Oddity::kPcieFull);
  }
}

void BoardInterrupts::read_routes(const fdt::Path& host, PcieHost& out) {
  constexpr size_t kUnitBytes = 3 * sizeof(uint32_t); // phys.hi, phys.mid, phys.lo
  const fdt::Node node = host.node();
  if (!node.property("interrupt-map").exists()) {
    return; // its devices have MSIs, or nothing
  }
  const Result<fdt::Domain> nexus = fdt::InterruptTree::domain(node);
  if (!nexus.ok() || nexus.value().interrupt_cells != 1) {
    oddities_.note(Oddity::kInterruptShape);
    return;
  }
  const Bytes mask = nexus.value().mask;
  if (nexus.value().has_mask && mask.size() != kUnitBytes + sizeof(uint32_t)) {
    oddities_.note(Oddity::kInterruptShape);
    return;
  }
  out.route_mask = nexus.value().has_mask ? ByteReader(mask).be32().take() : UINT32_MAX;
  for (size_t at = 0; at < nexus.value().map.size();) {
    const Result<fdt::MapEntry> entry = interrupts_.entry(nexus.value(), at, kUnitBytes);
    if (!entry.ok()) {
      oddities_.note(oddity_of(entry.error())); // nobody knows where the next one begins
      return;
    }
    add_route(entry.value(), out);
    at += entry.value().bytes;
  }
}

} // namespace clay
