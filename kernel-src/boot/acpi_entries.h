#pragma once
// Entries one behind the other in a table, each with a type and a length, in any of the forms that
// ACPI has for that. The walk never leaves its range; an entry that would, or that is too short for
// its own head, ends it and is counted.
//
//   AcpiEntries entries(table, 44, table.size(), AcpiEntryForm::kBytes, report);
//   return entries.for_each([&]() -> Result<void> {
//     const LeFields entry = CLAY_TRY(entries.fixed(12));
//     ...
//   });

#include "kernel-src/boot/acpi_report.h"
#include "kernel-src/boot/physical_bytes.h"
#include "kernel-src/lib/le_fields.h"

namespace clay {

/// What an entry begins with; numbers are little-endian.
enum class AcpiEntryForm : uint8_t {
  kBytes,    ///< type and length of a byte each: MADT, SRAT, device scopes
  kWords,    ///< of two bytes each: DMAR
  kByteWord, ///< type and flags of a byte, length of two: IVRS
};

class AcpiEntries {
 public:
  /// More than any kind of entry that is looked into has before its variable part.
  static constexpr size_t kFixedMax = 96;

  /// The entries in [from, to) of `table`, from <= to <= table.size().
  AcpiEntries(PhysicalBytes& table, size_t from, size_t to, AcpiEntryForm form, AcpiReport& report)
      : table_(table), report_(report), next_(from), to_(to), form_(form) {}

  /// Calls take() for each entry. What it fails with ends the walk; but an entry too short for
  /// what is asked of it (kTruncated) costs only itself.
  template <typename Take> Result<void> for_each(Take take) {
    while (CLAY_TRY(next())) {
      const Result<void> taken = take();
      if (!taken.ok() && !taken.failed_with(Error::kTruncated)) {
        return taken;
      }
    }
    return {};
  }

  // --- The entry that the walk is at

  uint16_t type() const { return type_; }
  size_t begin() const { return begin_; } ///< places in the table
  size_t end() const { return next_; }
  /// The entry's first `count` (at most kFixedMax) bytes, its head included; good until the next
  /// call. kTruncated: it has fewer, which has been counted.
  Result<LeFields> fixed(size_t count);

 private:
  /// To the next entry; false: there is none.
  Result<bool> next();

  PhysicalBytes& table_;
  AcpiReport& report_;
  size_t begin_ = 0;
  size_t next_;
  size_t to_;
  uint16_t type_ = 0;
  AcpiEntryForm form_;
  uint8_t fixed_[kFixedMax];
};

} // namespace clay
