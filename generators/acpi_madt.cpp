// MADT: ACPI Specification 6.5, section 5.2.12.

#include <algorithm>

#include "generators/acpi_parts.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

class Maker {
 public:
  Maker(sim::Tape& tape, const AcpiMachine& machine)
      : data_(tape.data()), machine_(machine),
        draft_(start_acpi_table("APIC", data_.pick({5, 1, 3}))) {}

  AcpiTableDraft make() {
    out().le32(machine_.arm ? 0 : 0xFEE00000).le32(data_.chance(1, 4) ? 0 : 1);
    if (machine_.arm) {
      arm();
    } else {
      pc();
    }
    if (data_.chance(1, 16)) alien();
    for (uint64_t others = data_.chance(1, 6) ? data_.between(1, 3) : 0; others != 0; --others) {
      other();
    }
    return std::move(draft_);
  }

 private:
  ByteBuilder& out() { return draft_.out; }
  bool odd() { return data_.chance(1, 40); }
  /// What a field mostly holds, or whatever.
  uint32_t some(uint32_t usual) { return data_.chance(1, 4) ? data_.u32() : usual; }

  AcpiEntryDraft entry(uint8_t type) { return AcpiEntryDraft(draft_, {type, 0}, 1, 1); }

  void pc() {
    const bool all_wide = data_.chance(1, 8);
    const uint32_t step = data_.pick({1u, 2u, 4u});
    for (uint32_t i = 0; i < machine_.cpus; ++i) {
      const uint32_t id = odd() ? data_.pick({0u, 0xFFu, 0xFFFFFFFFu}) : i * step;
      pc_cpu(id, i, all_wide || id > 0xFF);
    }
    io_apics();
    overrides();
    nmis();
    if (data_.chance(1, 8)) {
      for (uint64_t times = data_.chance(1, 4) ? 2 : 1; times != 0; --times) {
        const AcpiEntryDraft e = entry(5);
        out().le16(0).le64(data_.pick({uint64_t{0xFEE00000}, uint64_t{0x3'FEE00000}}));
      }
    }
    if (data_.chance(1, 12)) {
      for (uint64_t more = data_.chance(1, 3) ? 2 : 1; more != 0; --more) {
        const AcpiEntryDraft e = entry(16);
        out().le16(0).le32(some(0)).le64(data_.chance(1, 6) ? 0 : 0x7F000000 + more * 0x1000);
      }
    }
  }

  void pc_cpu(uint32_t id, uint32_t uid, bool wide) {
    const uint32_t flags = data_.chance(1, 12) ? data_.pick({0u, 2u, 3u}) : 1u;
    const AcpiEntryDraft e = entry(wide ? 9 : 0);
    if (wide) {
      out().le16(0).le32(id).le32(flags).le32(uid);
    } else {
      out().u8(static_cast<uint8_t>(uid)).u8(static_cast<uint8_t>(id)).le32(flags);
    }
  }

  void io_apics() {
    // One; two as AMD's have; or as large servers list them, in any order.
    uint32_t count = static_cast<uint32_t>(data_.pick({1, 2, 4, 9}));
    if (machine_.crowd == AcpiCrowd::kIoApics) count = 35;
    const uint32_t inputs = data_.pick({24u, 32u, 120u, 240u, 1u});
    const bool backwards = data_.chance(1, 3);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t n = backwards ? count - 1 - i : odd() ? 0 : i;
      const AcpiEntryDraft e = entry(1);
      out().u8(static_cast<uint8_t>(0x80 + n)).u8(0);
      out().le32(odd() ? 0 : 0xFEC00000 + n * 0x1000).le32(n * inputs);
    }
  }

  void overrides() {
    if (data_.chance(1, 8)) return;
    override_of(0, 2, 0);
    override_of(9, data_.pick({9u, 20u}), data_.pick({0xD, 0xF}));
    for (uint64_t more = data_.below(4); more != 0; --more) {
      override_of(static_cast<uint8_t>(data_.below(18)), data_.u32(), data_.u16());
    }
  }

  void override_of(uint8_t irq, uint32_t gsi, uint16_t flags) {
    const AcpiEntryDraft e = entry(2);
    out().u8(odd() ? 1 : 0).u8(irq).le32(gsi).le16(flags);
  }

  void nmis() {
    uint32_t count = data_.pick({1u, 0u, 2u, 16u});
    if (machine_.crowd == AcpiCrowd::kNmis) count = 40;
    for (uint32_t i = 0; i < count; ++i) {
      const bool wide = data_.chance(1, 8);
      const AcpiEntryDraft e = entry(wide ? 10 : 4);
      if (wide) {
        out().le16(5).le32(count == 1 ? 0xFFFFFFFF : i).u8(1).fill(0, 3);
      } else {
        out().u8(count == 1 ? 0xFF : static_cast<uint8_t>(i)).le16(5).u8(1);
      }
    }
    uint32_t sources = data_.chance(1, 8) ? 1 : 0;
    if (machine_.crowd == AcpiCrowd::kNmis && data_.boolean()) sources = 40;
    for (uint32_t i = 0; i < sources; ++i) {
      const AcpiEntryDraft e = entry(3);
      out().le16(data_.u16()).le32(i);
    }
  }

  void arm_cpu(uint32_t i, uint32_t flags, uint64_t redistributor, size_t bytes) {
    const AcpiEntryDraft e = entry(11);
    out().le16(0).le32(i).le32(i).le32(flags).le32(0).le32(23).le64(0);
    out().le64(0x2C000000).le64(0x2C020000).le64(0x2C010000).le32(25).le64(redistributor);
    out().le64(odd() ? 0 : (i / 4) << 8 | i % 4).fill(0, bytes - 76);
  }

  /// A CPU of the other architecture; another's number means nothing for it.
  void alien() {
    if (machine_.arm) {
      pc_cpu(0, 0, data_.boolean());
    } else {
      arm_cpu(0, 1, 0, 80);
    }
  }

  void arm() {
    const size_t bytes = data_.pick({size_t{80}, size_t{76}, size_t{82}});
    const bool redistributors = data_.boolean();
    for (uint32_t i = 0; i < machine_.cpus; ++i) {
      const uint32_t flags = data_.chance(1, 12) ? data_.pick({0u, 8u, 2u}) : 1u;
      arm_cpu(i, flags, redistributors ? 0 : 0x2F100000 + uint64_t{i} * 0x20000, bytes);
    }
    for (uint64_t count = odd() ? data_.pick({0, 2}) : 1; count != 0; --count) {
      const AcpiEntryDraft e = entry(12);
      out().le16(0).le32(0).le64(odd() ? 0 : 0x2F000000).le32(0).u8(3).fill(0, 3);
    }
    const bool crowd = machine_.crowd == AcpiCrowd::kArm;
    for (uint32_t i = 0, n = crowd ? 66 : redistributors ? 1 : 0; i < n; ++i) {
      const AcpiEntryDraft e = entry(14);
      out().le16(static_cast<uint16_t>(some(0)));
      out().le64(odd() ? 0 : 0x2F100000 + uint64_t{i} * 0x200000).le32(some(0x200000));
    }
    for (uint32_t i = 0, n = crowd ? 20 : data_.pick({1u, 0u, 2u}); i < n; ++i) {
      const AcpiEntryDraft e = entry(15);
      out().le16(0).le32(some(i));
      out().le64(odd() ? 0 : 0x2F020000 + uint64_t{i} * 0x20000).le32(some(0));
    }
    for (uint32_t i = 0, n = crowd ? 20 : data_.pick({0u, 1u, 3u}); i < n; ++i) {
      const AcpiEntryDraft e = entry(13);
      out().le16(0).le32(some(i)).le64(odd() ? 0 : 0x2C1C0000 + uint64_t{i} * 0x10000);
      out().le32(some(i % 2)).le16(32).le16(static_cast<uint16_t>(128 + 32 * i));
    }
  }

  /// Of other architectures, of a maker, of a later version; of any length.
  void other() {
    const AcpiEntryDraft e = entry(data_.pick({6, 7, 8, 17, 24, 0x7F, 0x80}));
    std::vector<uint8_t> body(static_cast<size_t>(data_.below(24)));
    data_.noise(body);
    out().raw(body);
  }

  View data_;
  const AcpiMachine& machine_;
  AcpiTableDraft draft_;
};

} // namespace

AcpiTableDraft make_acpi_madt(sim::Tape& tape, const AcpiMachine& machine) {
  sim::Span span(tape, "MADT");
  return Maker(tape, machine).make();
}

} // namespace kiln::gen
