#include "kernel-src/boot/acpi_tables.h"

#include <new>

#include "kernel-src/lib/endian.h"

namespace clay {

Result<void> AcpiTables::read(PhysicalWindow& window, const AcpiRootHint& hint) {
  root_ = CLAY_TRY(find_acpi_root(window, hint, report_));
  Pointers pointers;
  CLAY_TRY(read_root(window, pointers));
  for (const uint64_t physical : pointers.all()) {
    read_table(window, physical);
  }
  read_dsdt(window, pointers);
  return {};
}

/// The newer root table, or else the older one.
Result<void> AcpiTables::read_root(PhysicalWindow& window, Pointers& pointers) {
  if (root_.xsdt != 0 && read_root_table(window, root_.xsdt, true, pointers).ok()) {
    return {};
  }
  if (root_.rsdt == 0) {
    return Error::kCorrupt;
  }
  return read_root_table(window, root_.rsdt, false, pointers);
}

/// Pointers that were read before memory could no longer be mapped are not taken back: `pointers`
/// starts again.
Result<void> AcpiTables::read_root_table(PhysicalWindow& window, uint64_t physical, bool wide,
                                         Pointers& pointers) {
  const AcpiTable table = CLAY_TRY(open_acpi_table(window, physical, report_));
  if (!table.is(wide ? "XSDT" : "RSDT")) {
    report_.note(AcpiOddity::kRootTable);
    return Error::kCorrupt;
  }
  // 5.2.7 and 5.2.8: entries of 4 or 8 bytes up to the table's end.
  const size_t width = wide ? 8 : 4;
  PhysicalBytes bytes(window, physical, table.length);
  const AcpiReport before = report_;
  size_t at = AcpiTable::kHeaderBytes;
  for (; table.length - at >= width; at += width) {
    uint8_t entry[8] = {};
    if (!bytes.copy(at, MutableBytes(entry).first(width)).ok()) {
      pointers = {};
      report_ = before;
      report_.note(AcpiOddity::kUnmapped);
      return Error::kCorrupt;
    }
    add_pointer(load_le<uint64_t>(entry), pointers);
  }
  report_.note_unless(at == table.length, AcpiOddity::kTail);
  return {};
}

void AcpiTables::add_pointer(uint64_t physical, Pointers& pointers) {
  if (physical == 0) {
    return report_.note(AcpiOddity::kTableNull);
  }
  if (physical == root_.rsdt || physical == root_.xsdt) {
    return report_.note(AcpiOddity::kTableSelf);
  }
  for (const uint64_t earlier : pointers.all()) {
    if (earlier == physical) {
      return report_.note(AcpiOddity::kTableTwice);
    }
  }
  report_.note_unless(pointers.add(physical), AcpiOddity::kTablesFull);
}

void AcpiTables::read_table(PhysicalWindow& window, uint64_t physical) {
  const Result<AcpiTable> table = open_acpi_table(window, physical, report_);
  if (!table.ok()) {
    return;
  }
  PhysicalBytes bytes(window, physical, table.value().length);
  const AcpiReport before = report_;
  const Result<void> read = read_contents(bytes, table.value());
  if (!read.ok() && !read.failed_with(Error::kTruncated)) {
    report_ = before;
    return report_.note(AcpiOddity::kUnmapped);
  }
  tables_.add(table.value()); // there is room for as many as there are pointers
}

/// kTruncated: it is too short to say anything. Else errors of the window.
Result<void> AcpiTables::read_contents(PhysicalBytes& bytes, const AcpiTable& table) {
  if (table.is("APIC")) {
    return read_once(Kind::kMadt, madt_, bytes);
  }
  if (table.is("FACP")) {
    return read_once(Kind::kFadt, fadt_, bytes);
  }
  if (table.is("MCFG")) {
    return read_once(Kind::kMcfg, mcfg_, bytes);
  }
  if (table.is("HPET")) {
    return hpets_.read(bytes, report_);
  }
  if (table.is("SRAT")) {
    return read_once(Kind::kSrat, srat_, bytes, table.revision);
  }
  if (table.is("DMAR")) {
    return read_once(Kind::kDmar, dmar_, bytes);
  }
  if (table.is("IVRS")) {
    return read_once(Kind::kIvrs, ivrs_, bytes);
  }
  return {};
}

/// The first sound one counts. What could not be read to its end leaves nothing behind.
template <typename Part, typename... Arguments>
Result<void> AcpiTables::read_once(Kind kind, Part& part, PhysicalBytes& bytes,
                                   Arguments... arguments) {
  if (has(kind)) {
    report_.note(AcpiOddity::kTableAgain);
    return {};
  }
  const Result<void> read = part.read(bytes, arguments..., report_);
  if (!read.ok()) {
    new (static_cast<void*>(&part)) Part; // in its place: it is too large for a stack
    return read;
  }
  seen_ |= uint32_t{1} << static_cast<unsigned>(kind);
  return {};
}

void AcpiTables::read_dsdt(PhysicalWindow& window, const Pointers& pointers) {
  const uint64_t physical = fadt_.dsdt();
  if (physical == 0) {
    return;
  }
  for (const uint64_t named : pointers.all()) {
    if (named == physical) { // firmware may name it in the root table too
      return;
    }
  }
  const Result<AcpiTable> table = open_acpi_table(window, physical, report_);
  if (table.ok()) {
    tables_.add(table.value());
  }
}

} // namespace clay
