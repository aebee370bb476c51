// DMAR (Intel Virtualization Technology for Directed I/O 4.1, chapter 8) and IVRS (AMD I/O
// Virtualization Technology Specification 3.06, section 5.2).

#include "generators/acpi_parts.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

class DmarMaker {
 public:
  DmarMaker(sim::Tape& tape, const AcpiMachine& machine)
      : data_(tape.data()), machine_(machine), draft_(start_acpi_table("DMAR", 1)) {}

  AcpiTableDraft make() {
    out().u8(data_.pick({38, 47, 0xFF})).u8(data_.pick({1, 5})).fill(0, 10);
    const bool many = machine_.crowd == AcpiCrowd::kUnits;
    const uint32_t units = many ? 34 : data_.pick({2u, 1u, 4u});
    for (uint32_t i = 0; i < units; ++i) {
      unit(i, i + 1 == units);
    }
    for (uint32_t i = 0, n = many ? 34 : data_.pick({1u, 0u, 2u}); i < n; ++i) {
      region(i);
    }
    if (data_.boolean()) affinity(0, units);
    if (data_.chance(1, 3)) others();
    return std::move(draft_);
  }

 private:
  ByteBuilder& out() { return draft_.out; }
  AcpiEntryDraft entry(uint16_t type) {
    return AcpiEntryDraft(
        draft_, {static_cast<uint8_t>(type & 0xFF), static_cast<uint8_t>(type >> 8), 0, 0}, 2, 2);
  }
  uint16_t segment() { return data_.chance(1, 4) ? data_.u16() : uint16_t{0}; }
  static uint64_t registers(uint64_t unit) { return 0xFED90000 + unit * 0x1000; }

  void unit(uint32_t i, bool last) {
    const AcpiEntryDraft e = entry(0);
    out().u8(last ? 1 : 0).u8(0).le16(segment()).le64(data_.chance(1, 40) ? 0 : registers(i));
    uint64_t count = data_.pick({1, 2, 0, 3});
    if (machine_.crowd == AcpiCrowd::kScopes) count = 140;
    for (; count != 0; --count) {
      scope();
    }
  }

  void scope() {
    const AcpiEntryDraft e(draft_, {static_cast<uint8_t>(data_.between(1, 5)), 0}, 1, 1);
    out().le16(0);
    out().u8(data_.pick({0, 2})).u8(data_.pick({0, 0xF0}));
    uint64_t hops = data_.pick({1, 2, 4});
    if (data_.chance(1, 24)) hops = data_.pick({0, 5});
    for (; hops != 0; --hops) {
      out().u8(static_cast<uint8_t>(data_.below(32))).u8(static_cast<uint8_t>(data_.below(8)));
    }
    out().fill(0, data_.chance(1, 40) ? 1 : 0);
  }

  void region(uint32_t i) {
    const AcpiEntryDraft e = entry(1);
    uint64_t base = 0x7B800000 + uint64_t{i} * 0x1000000;
    uint64_t limit = base + 0x7FFFFF;
    if (data_.chance(1, 12)) {
      switch (data_.below(4)) {
      case 0:
        limit = base - 1;
        break;
      case 1:
        limit += 1;
        break;
      case 2:
        base += 0x10;
        break;
      default:
        limit = UINT64_MAX;
        break;
      }
    }
    out().le16(0).le16(segment()).le64(base).le64(limit);
    for (uint64_t count = data_.pick({1, 2, 0}); count != 0; --count) {
      scope();
    }
  }

  void affinity(uint32_t domain, uint32_t units) {
    const AcpiEntryDraft e = entry(3);
    out().le32(0).le64(registers(data_.below(units + 1))).le32(domain + 1);
  }

  void others() {
    const AcpiEntryDraft e = entry(data_.pick(
        {uint16_t{2}, uint16_t{4}, uint16_t{5}, uint16_t{6}, uint16_t{7}, uint16_t{0xFFFF}}));
    out().fill(0, static_cast<size_t>(data_.pick({4, 0, 12, 300})));
  }

  View data_;
  const AcpiMachine& machine_;
  AcpiTableDraft draft_;
};

class IvrsMaker {
 public:
  IvrsMaker(sim::Tape& tape, const AcpiMachine& machine)
      : data_(tape.data()), machine_(machine), draft_(start_acpi_table("IVRS", 2)) {}

  AcpiTableDraft make() {
    out().le32(0x203041).fill(0, 8);
    const bool many = machine_.crowd == AcpiCrowd::kUnits;
    const uint32_t units = many ? 34 : data_.pick({1u, 2u, 4u});
    // Firmware says the same in each form that it knows.
    const uint64_t forms = data_.pick({3, 1, 7, 4});
    const uint8_t kTypes[] = {0x10, 0x11, 0x40};
    const bool newest_first = data_.chance(1, 4);
    for (size_t n = 0; n < 3; ++n) {
      const size_t form = newest_first ? 2 - n : n;
      for (uint32_t i = 0; (forms >> form & 1) != 0 && i < units; ++i) {
        unit(kTypes[form], i);
      }
    }
    for (uint32_t i = 0, n = many ? 34 : data_.pick({0u, 1u, 3u}); i < n; ++i) {
      memory(i);
    }
    if (data_.chance(1, 12)) {
      const AcpiEntryDraft e = block(data_.pick({0x12, 0x23, 0x1F, 0}), 0);
      out().fill(0, data_.pick({size_t{0}, size_t{20}}));
    }
    return std::move(draft_);
  }

 private:
  ByteBuilder& out() { return draft_.out; }

  AcpiEntryDraft block(uint8_t type, uint8_t flags) {
    return AcpiEntryDraft(draft_, {type, flags, 0, 0}, 2, 2);
  }

  void unit(uint8_t type, uint32_t i) {
    const AcpiEntryDraft e = block(type, 0xB0);
    out().le16(static_cast<uint16_t>(i << 8 | 2)).le16(0x40);
    out()
        .le64(data_.chance(1, 40) ? 0 : 0xFD200000 + uint64_t{i} * 0x80000)
        .le16(data_.chance(1, 4) ? data_.u16() : uint16_t{0})
        .le16(0)
        .le32(0x80048F6F);
    if (type != 0x10) out().le64(0x246577EFA2254AFA).le64(0);
    uint64_t entries = data_.pick({3, 2, 5, 0});
    if (machine_.crowd == AcpiCrowd::kSpecials) entries = 70;
    for (uint64_t n = 0; n < entries; ++n) {
      device(type, n);
    }
    if (data_.chance(1, 8)) { // a longer one, cut
      const auto cut = static_cast<uint8_t>(data_.pick({0xF0, 0x41, 0xF0, 0x80, 0xC0}));
      const size_t whole = size_t{4} << cut / 64;
      out().u8(cut).fill(0, data_.pick({size_t{0}, size_t{1}, size_t{2}, whole - 2, size_t{20}}));
    }
  }

  void device(uint8_t block, uint64_t n) {
    const uint64_t special = block == 0x40 ? 1 : 2;
    switch (n < special || machine_.crowd == AcpiCrowd::kSpecials ? 0 : data_.below(6)) {
    case 0: // an I/O APIC or event timer
      out().u8(72).le16(0).u8(0).u8(static_cast<uint8_t>(n)).le16(0xA0).u8(n % 2 == 0 ? 1 : 2);
      return;
    case 1: // from here, to there
      out().u8(3).le16(8).u8(0).u8(4).le16(0xFFFE).u8(0);
      return;
    case 2:
      out().u8(66).le16(0x300).u8(0).u8(0).le16(0xA5).u8(0);
      return;
    case 3:
      out().u8(data_.pick({1, 0x80, 0xC0}));
      out().fill(0, 3 + (out().bytes().back() == 1 ? 0 : out().bytes().back() == 0x80 ? 12 : 28));
      return;
    default:
      if (block != 0x40) {
        out().fill(0, 4);
        return;
      }
      const auto name = static_cast<uint8_t>(data_.pick({9, 0, 40}));
      out().u8(0xF0).le16(0xA0).u8(0).text("AMDI0020").fill(0, 8).u8(2).u8(name);
      draft_.lengths.push_back({out().size() - 1, 1});
      out().fill('U', name);
    }
  }

  void memory(uint32_t i) {
    const AcpiEntryDraft e = block(static_cast<uint8_t>(0x20 + i % 3), 0x08);
    uint64_t first = 0x7B000000 + uint64_t{i} * 0x100000;
    uint64_t bytes = 0x10000;
    if (data_.chance(1, 12)) {
      first = data_.pick({UINT64_MAX - 0xFFFF, UINT64_MAX - 0xFFFE, uint64_t{0}});
      bytes = data_.chance(1, 3) ? 0 : bytes;
    }
    const auto device = static_cast<uint16_t>(0x100 + i);
    const int last = data_.chance(1, 6) ? data_.pick({0, device - 1, int{device}}) : 0x1FF;
    out().le16(device).le16(static_cast<uint16_t>(last)).le64(0).le64(first).le64(bytes);
  }

  View data_;
  const AcpiMachine& machine_;
  AcpiTableDraft draft_;
};

} // namespace

AcpiTableDraft make_acpi_dmar(sim::Tape& tape, const AcpiMachine& machine) {
  sim::Span span(tape, "DMAR");
  return DmarMaker(tape, machine).make();
}

AcpiTableDraft make_acpi_ivrs(sim::Tape& tape, const AcpiMachine& machine) {
  sim::Span span(tape, "IVRS");
  return IvrsMaker(tape, machine).make();
}

} // namespace kiln::gen
