#include "kernel-src/boot/acpi_ivrs.h"

#include "kernel-src/boot/acpi_entries.h"
#include "kernel-src/boot/acpi_table.h"

namespace clay {
namespace {

// AMD I/O Virtualization Technology Specification 3.06, section 5.2.1 ("IVRS Header").
constexpr size_t kFixedBytes = 48;
constexpr size_t kInfo = 36;

// Sections 5.2.2 and 5.2.3.
enum BlockType : uint16_t {
  kUnitOld = 0x10,
  kUnitNew = 0x11,
  kUnitNamed = 0x40, ///< may have entries of kNamed
  kMemoryAll = 0x20,
  kMemoryOne = 0x21,
  kMemoryRange = 0x22,
};
constexpr size_t kUnitOldBytes = 24;
constexpr size_t kUnitNewBytes = 40;
constexpr size_t kMemoryBytes = 32;

// Section 5.2.2.1 ("IVHD Device Entries"): the two highest bits of its type say how long one is.
constexpr size_t kShortestEntry = 4;
constexpr uint8_t kSpecial = 72;
constexpr size_t kSpecialBytes = 8;
constexpr uint8_t kNamed = 0xF0;
constexpr size_t kNamedBytes = 22; ///< before the name, whose length is the last of them

bool is_unit(uint16_t type) { return type == kUnitOld || type == kUnitNew || type == kUnitNamed; }
bool is_memory(uint16_t type) { return type >= kMemoryAll && type <= kMemoryRange; }

} // namespace

/// Two passes: the first learns which kind of block counts.
class AcpiIvrs::Reader {
 public:
  Reader(AcpiIvrs& ivrs, PhysicalBytes& table, AcpiReport& report)
      : ivrs_(ivrs), table_(table), report_(report) {}

  Result<void> read() {
    AcpiReport again; // what is wrong is counted by the second pass
    uint16_t newest = 0;
    AcpiEntries blocks = all(again);
    CLAY_TRY(blocks.for_each([&]() -> Result<void> {
      newest = is_unit(blocks.type()) && blocks.type() > newest ? blocks.type() : newest;
      return {};
    }));
    AcpiEntries entries = all(report_);
    return entries.for_each([&] { return block(entries, newest); });
  }

 private:
  AcpiEntries all(AcpiReport& report) {
    return AcpiEntries(table_, kFixedBytes, table_.size(), AcpiEntryForm::kByteWord, report);
  }

  Result<void> block(AcpiEntries& blocks, uint16_t newest) {
    if (is_memory(blocks.type())) {
      return memory(blocks);
    }
    if (!is_unit(blocks.type())) {
      report_.note(AcpiOddity::kEntryUnknown);
      return {};
    }
    return blocks.type() == newest ? unit(blocks) : Result<void>();
  }

  Result<void> unit(AcpiEntries& blocks) {
    const bool old = blocks.type() == kUnitOld;
    const size_t fixed = old ? kUnitOldBytes : kUnitNewBytes;
    const LeFields block = CLAY_TRY(blocks.fixed(fixed));
    const Unit unit{block.u64(8), old ? 0 : block.u64(24), block.u16(16), block.u16(4),
                    block.u8(1)};
    if (unit.registers == 0) {
      report_.note(AcpiOddity::kAddress);
      return {};
    }
    if (!ivrs_.units_.add(unit)) {
      report_.note(AcpiOddity::kListFull);
      return {};
    }
    return device_entries(blocks.begin() + fixed, blocks.end());
  }

  /// They have no length of their own but by their type.
  Result<void> device_entries(size_t from, size_t to) {
    while (from != to) {
      uint8_t type = 0;
      CLAY_TRY(table_.copy(from, MutableBytes(&type, 1)));
      size_t length = kShortestEntry << (type >> 6);
      if (type == kNamed && to - from >= kNamedBytes) {
        uint8_t name_length = 0;
        CLAY_TRY(table_.copy(from + kNamedBytes - 1, MutableBytes(&name_length, 1)));
        length = kNamedBytes + name_length;
      }
      if (length > to - from) {
        report_.note(AcpiOddity::kEntryLength);
        return {};
      }
      if (type == kSpecial) {
        CLAY_TRY(special(from));
      }
      from += length;
    }
    return {};
  }

  Result<void> special(size_t at) {
    uint8_t entry[kSpecialBytes];
    CLAY_TRY(table_.copy(at, entry));
    const LeFields fields{Bytes(entry)};
    const Special read{static_cast<uint16_t>(ivrs_.units_.size() - 1), fields.u16(5), fields.u8(4),
                       fields.u8(7)};
    report_.note_unless(ivrs_.specials_.add(read), AcpiOddity::kListFull);
    return {};
  }

  Result<void> memory(AcpiEntries& blocks) {
    const LeFields block = CLAY_TRY(blocks.fixed(kMemoryBytes));
    const uint64_t first = block.u64(16);
    const uint64_t bytes = block.u64(24);
    Region region{first, 0, block.u16(4), block.u16(4), block.u8(1)};
    if (blocks.type() == kMemoryAll) {
      region.first_device = 0;
      region.last_device = UINT16_MAX;
    } else if (blocks.type() == kMemoryRange) {
      region.last_device = block.u16(6);
    }
    if (bytes == 0 || !fits_physical(first, bytes) || region.first_device > region.last_device) {
      report_.note(AcpiOddity::kRange);
      return {};
    }
    region.last = first + (bytes - 1);
    report_.note_unless(ivrs_.regions_.add(region), AcpiOddity::kListFull);
    return {};
  }

  AcpiIvrs& ivrs_;
  PhysicalBytes& table_;
  AcpiReport& report_;
};

Result<void> AcpiIvrs::read(PhysicalBytes& table, AcpiReport& report) {
  uint8_t buffer[kFixedBytes];
  const LeFields fields = CLAY_TRY(read_acpi_fixed(table, buffer, report));
  info_ = fields.u32(kInfo);
  return Reader(*this, table, report).read();
}

} // namespace clay
