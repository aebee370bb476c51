// FADT (ACPI Specification 6.5, section 5.2.9), MCFG (PCI Firmware Specification 3.3, section
// 4.1.2), HPET (IA-PC HPET Specification 1.0a, section 3.2.4), SRAT (ACPI 5.2.16).

#include "generators/acpi_parts.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr size_t kFadtBytes = 276;

/// Where fields of the FADT end (table 5.9).
constexpr uint16_t kFadtFieldEnds[] = {
    40,  44,  45,  46,  48,  52,  53,  54,  55,  56,  60,  64,  68,  72,  76,  80,  84,  88,  89,
    90,  91,  92,  93,  94,  95,  96,  98,  100, 102, 104, 105, 106, 107, 108, 109, 111, 112, 116,
    128, 129, 131, 132, 140, 148, 160, 172, 184, 196, 208, 220, 232, 244, 256, 268, 276};

size_t fadt_length(View& data) {
  switch (data.weighted({6, 4, 1})) {
  case 0: // as the revisions have it: 6.x, 5.x, 3 and 4, 1.0
    return data.pick({size_t{276}, size_t{268}, size_t{244}, size_t{116}});
  case 1:
    return data.pick(kFadtFieldEnds) - size_t{1} + static_cast<size_t>(data.below(3));
  default:
    return static_cast<size_t>(data.between(36, kFadtBytes + 40));
  }
}

void set_register(ByteBuilder& out, size_t at, uint8_t space, uint8_t bits, uint64_t address) {
  out.set_u8(at, space);
  out.set_u8(at + 1, bits);
  out.set_u8(at + 3, static_cast<uint8_t>(bits / 8));
  out.set_le64(at + 4, address);
}

void set_ports(ByteBuilder& out, View& data) {
  // The place of the older field, of its length, of the newer one; port; bytes.
  constexpr struct {
    size_t narrow, length, wide;
    uint16_t port;
    uint8_t bytes;
  } kBlocks[] = {{56, 88, 148, 0x1800, 4}, {64, 89, 172, 0x1804, 2}, {76, 91, 208, 0x1808, 4}};
  for (const auto& block : kBlocks) {
    const uint64_t which = data.pick({3, 1, 2, 0}); // both, one of them, none
    const uint8_t bytes = data.chance(1, 16) ? data.u8() : block.bytes;
    if ((which & 1) != 0) {
      out.set_le32(block.narrow, block.port);
      out.set_u8(block.length, bytes);
    }
    if ((which & 2) != 0) {
      set_register(out, block.wide, data.chance(1, 8) ? 0 : 1,
                   static_cast<uint8_t>(block.bytes * 8),
                   data.chance(1, 8) ? 0x1'FED00000 : block.port + (data.chance(1, 8) ? 64u : 0u));
    }
  }
}

void set_reset(ByteBuilder& out, View& data) {
  set_register(out, 116, data.pick({1, 0, 2}), 8, 0xCF9);
  out.set_u8(128, 6);
  if (!data.chance(1, 6)) return;
  switch (data.below(4)) {
  case 0:
    out.set_u8(116, data.pick({0x7F, 3}));
    break;
  case 1:
    out.set_u8(117, 16);
    break;
  case 2:
    out.set_u8(118, 1);
    break;
  default:
    out.set_le64(120, 0);
    break;
  }
}

} // namespace

AcpiTableDraft make_acpi_fadt(sim::Tape& tape, const AcpiMachine& machine) {
  sim::Span span(tape, "FADT");
  View data = tape.data();
  AcpiTableDraft draft = start_acpi_table("FACP", data.pick({6, 5, 4, 1}));
  ByteBuilder& out = draft.out;
  const size_t length = fadt_length(data);
  out.fill(0, kFadtBytes - out.size());
  out.set_u8(45, data.pick({2, 1, 4, 8}));
  out.set_le16(46, 9);
  out.set_le32(48, data.chance(1, 4) ? 0 : 0xB2);
  out.set_u8(52, 0xE1);
  out.set_u8(53, 0x1E);
  set_ports(out, data);
  out.set_u8(108, data.chance(1, 4) ? 0 : 0x32);
  out.set_le16(109, data.pick({3, 0x1F, 0}));
  out.set_le16(129, machine.arm ? 3 : 0);
  uint32_t flags = data.pick({0x84A5u, 0x4A5u, 0xA5u, 0x38A5u});
  if (machine.arm || data.chance(1, 8)) flags |= 1u << 20;
  out.set_le32(112, flags);
  set_reset(out, data);
  set_register(out, 244, 1, 8, data.pick({0u, 0x1810u}));
  set_register(out, 256, 1, 8, data.pick({0u, 0x1814u}));
  if (data.chance(1, 3)) out.set_le64(268, 0x4B4D56'4B4C494E);
  if (data.chance(1, 6)) { // whatever a maker left there
    std::vector<uint8_t> noise(kFadtBytes - 44);
    data.noise(noise);
    for (size_t i = 0; i < noise.size(); ++i) {
      out.set_u8(44 + i, noise[i]);
    }
    out.set_le64(AcpiFadtPlaces::kWideFacs, 0);
    out.set_le64(AcpiFadtPlaces::kWideDsdt, 0);
  }
  std::vector<uint8_t> bytes = out.take();
  bytes.resize(length);
  out.raw(bytes);
  return draft;
}

AcpiTableDraft make_acpi_mcfg(sim::Tape& tape, const AcpiMachine& machine) {
  sim::Span span(tape, "MCFG");
  View data = tape.data();
  AcpiTableDraft draft = start_acpi_table("MCFG", 1);
  ByteBuilder& out = draft.out;
  out.fill(0, 8);
  uint64_t count = data.pick({1, 2, 4, 0});
  if (machine.crowd == AcpiCrowd::kBuses) count = 35;
  const bool backwards = data.chance(1, 4);
  for (uint64_t n = 0; n < count; ++n) {
    const uint64_t i = backwards ? count - 1 - n : n;
    // A segment each; or one after the other in one segment.
    const bool one_segment = count < 5 && data.chance(1, 4);
    uint64_t base = (i % 2 == 0 ? 0xE0000000 : 0x40'00000000) + i * 0x10000000;
    uint8_t first = one_segment ? static_cast<uint8_t>(i * 64) : 0;
    uint8_t last = one_segment ? static_cast<uint8_t>(i * 64 + data.pick({63, 64})) : 255;
    if (data.chance(1, 16)) {
      switch (data.below(4)) {
      case 0:
        base = 0;
        break;
      case 1:
        first = 255, last = 254;
        break;
      case 2: // ends with the last byte, or one megabyte behind it
        base = uint64_t{0} - 0x10000000 + data.below(2) * 0x100000;
        last = 255;
        break;
      default:
        last = first;
        break;
      }
    }
    out.le64(base).le16(one_segment ? 0 : static_cast<uint16_t>(i)).u8(first).u8(last).le32(0);
  }
  out.fill(0, data.chance(1, 24) ? data.between(1, 15) : 0);
  return draft;
}

AcpiTableDraft make_acpi_hpet(sim::Tape& tape, uint8_t number) {
  sim::Span span(tape, "HPET");
  View data = tape.data();
  AcpiTableDraft draft = start_acpi_table("HPET", 1);
  draft.out.le32(0x8086A201);
  draft.out.u8(data.chance(1, 16) ? 1 : 0).u8(64).u8(0).u8(0);
  draft.out.le64(data.chance(1, 16) ? 0 : 0xFED00000 + uint64_t{number} * 0x1000);
  draft.out.u8(data.chance(1, 8) ? 0 : number).le16(data.pick({0x80, 0x37EE})).u8(0);
  return draft;
}

namespace {

class SratMaker {
 public:
  SratMaker(sim::Tape& tape, const AcpiMachine& machine)
      : data_(tape.data()), machine_(machine),
        draft_(start_acpi_table("SRAT", data_.pick({3, 1, 2}))) {}

  AcpiTableDraft make() {
    out().le32(1).fill(0, 8);
    domains_ = data_.pick({2u, 1u, 4u, 8u});
    if (machine_.crowd == AcpiCrowd::kDomains) domains_ = 70;
    const uint32_t cpus = machine_.crowd == AcpiCrowd::kDomains ? 72 : machine_.cpus;
    for (uint32_t i = 0; i < cpus; ++i) {
      cpu(i, machine_.arm);
    }
    if (data_.chance(1, 16)) cpu(0, !machine_.arm); // its number means nothing for the others
    memory();
    if (data_.chance(1, 8)) other();
    if (machine_.arm) {
      for (uint32_t i = 0, n = machine_.crowd == AcpiCrowd::kDomains ? 66 : 1; i < n; ++i) {
        const AcpiEntryDraft e = entry(4);
        out().le32(domain(i)).le16(0).le32(i);
      }
    }
    return std::move(draft_);
  }

 private:
  ByteBuilder& out() { return draft_.out; }
  AcpiEntryDraft entry(uint8_t type) { return AcpiEntryDraft(draft_, {type, 0}, 1, 1); }
  /// Numbers of domains need not follow each other, and need not fit a byte.
  uint32_t domain(uint32_t of) const {
    return of % domains_ * (domains_ == 4 ? 0x101 : domains_ == 8 ? 0x3020101 : 1);
  }

  void cpu(uint32_t i, bool arm) {
    const uint32_t flags = data_.chance(1, 16) ? 0 : 1;
    const uint32_t d = domain(i);
    const uint32_t id = data_.chance(1, 40) ? 0 : i;
    if (arm) {
      const AcpiEntryDraft e = entry(3);
      out().le32(d).le32(id).le32(flags).le32(0);
    } else if (id > 0xFE || data_.chance(1, 8)) {
      const AcpiEntryDraft e = entry(2);
      out().le16(0).le32(d).le32(id).le32(flags).le32(0).le32(0);
    } else {
      const AcpiEntryDraft e = entry(0);
      out().u8(static_cast<uint8_t>(d)).u8(static_cast<uint8_t>(id)).le32(flags).u8(0);
      out().u8(static_cast<uint8_t>(d >> 8)).le16(static_cast<uint16_t>(d >> 16)).le32(0);
    }
  }

  void memory() {
    const uint32_t count = machine_.crowd == AcpiCrowd::kMemory ? 68 : domains_ + 1;
    for (uint32_t i = 0; i < count; ++i) {
      uint64_t base = uint64_t{i} << 32;
      uint64_t bytes = uint64_t{1} << 32;
      if (data_.chance(1, 24)) {
        base = 0xFFFFFFFF'00000000 + data_.below(2);
        bytes -= data_.below(2);
      } else if (data_.chance(1, 24)) {
        bytes = 0;
      }
      const AcpiEntryDraft e = entry(1);
      out().le32(domain(i)).le16(0).le64(base).le64(bytes).le32(0);
      out().le32(data_.chance(1, 4) ? data_.pick({3u, 5u, 0u, 7u}) : 1).le64(0);
    }
  }

  void other() {
    const AcpiEntryDraft e = entry(data_.pick({5, 6, 7, 0xFF}));
    out().fill(0, static_cast<size_t>(data_.pick({30, 0, 18})));
  }

  View data_;
  const AcpiMachine& machine_;
  AcpiTableDraft draft_;
  uint32_t domains_ = 1;
};

} // namespace

AcpiTableDraft make_acpi_srat(sim::Tape& tape, const AcpiMachine& machine) {
  sim::Span span(tape, "SRAT");
  return SratMaker(tape, machine).make();
}

} // namespace kiln::gen
