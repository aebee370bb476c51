#pragma once
// Tables of ACPI as files: one table as iasl makes it, or the text of acpidump with all of them.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "generators/acpi.h"

namespace kiln::targets {

/// The tables in a file, where they lie, and a root pointer: the file's own when it has one beside
/// a root table, and every table has an address; else one is made that names them all. No pieces:
/// the file is neither.
gen::AcpiFirmware read_acpi_file(std::span<const uint8_t> file);

/// As acpidump writes them; acpixtract takes it apart.
std::string write_acpi_dump(const gen::AcpiFirmware& firmware);

} // namespace kiln::targets
