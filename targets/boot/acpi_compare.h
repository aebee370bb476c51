#pragma once
// What the kernel read of ACPI's tables, held field by field against the second reader.

#include "kernel-src/boot/acpi_tables.h"
#include "worlds/firmware/acpi_reading.h"

namespace kiln::targets {

/// The kernel's, for the second reader.
extern const worlds::acpi::Limits kAcpiLimits;

/// All of it: `got` says that reading went well.
void check_acpi(const clay::AcpiTables& got, const worlds::acpi::Reading& want);
/// What was left out; also when reading failed.
void check_acpi_oddities(const clay::AcpiReport& got, const worlds::acpi::Reading& want);

// --- Parts

void check_acpi_count(const char* what, size_t got, size_t want);
/// The fields of one thing, in the same order.
void check_acpi_row(const char* what, size_t index, std::initializer_list<uint64_t> got,
                    std::initializer_list<uint64_t> want);
void check_acpi_madt(const clay::AcpiMadt& got, const worlds::acpi::Madt& want);
void check_acpi_dmar(const clay::AcpiDmar& got, const worlds::acpi::Dmar& want);
void check_acpi_ivrs(const clay::AcpiIvrs& got, const worlds::acpi::Ivrs& want);

} // namespace kiln::targets
