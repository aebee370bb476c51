#pragma once
// Parts of the second reader: one function a table. `bytes` is a whole table whose checksum is
// right.

#include "worlds/firmware/acpi_reading.h"
#include "worlds/firmware/numbers.h"

namespace kiln::worlds::acpi {

using Table = std::span<const uint8_t>;

struct Entry {
  uint64_t type;
  Table bytes; ///< its head included
};
/// How the head of an entry is laid out.
struct Head {
  size_t type_bytes;
  size_t length_at;
  size_t length_bytes;
};
inline constexpr Head kByteHead = {1, 1, 1};
inline constexpr Head kWordHead = {2, 2, 2};
inline constexpr Head kIvrsHead = {1, 2, 2};

/// All entries up to the end, or up to the first one whose length is impossible.
std::vector<Entry> cut(Table bytes, const Head& head, Reading& out);

/// False, and counted: the table has no `bytes` bytes.
bool has_fixed_part(Table table, size_t bytes, Reading& out);
/// The same for an entry.
bool has_bytes(const Entry& entry, size_t bytes, Reading& out);

void read_madt(Table table, Reading& out, const Limits& limits);
void read_fadt(Table table, Reading& out);
void read_mcfg(Table table, Reading& out, const Limits& limits);
void read_hpet(Table table, Reading& out, const Limits& limits);
void read_srat(Table table, Reading& out, const Limits& limits);
void read_dmar(Table table, Reading& out, const Limits& limits);
void read_ivrs(Table table, Reading& out, const Limits& limits);

} // namespace kiln::worlds::acpi
