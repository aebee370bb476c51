#pragma once
// What the kernel read of ACPI's tables, a line a thing.

#include <string>

#include "kernel-src/boot/acpi_tables.h"

namespace kiln::targets {

std::string describe(const clay::AcpiTables& tables);

} // namespace kiln::targets
