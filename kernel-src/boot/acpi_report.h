#pragma once
// What was wrong in the tables of ACPI and therefore left out, counted, for the log.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/kind_counts.h"

namespace clay {

// X(identifier, "what was left out and why")
#define CLAY_ACPI_ODDITIES(X)                                                                      \
  X(kUnmapped, "a root pointer, table or area that could not be mapped")                           \
  X(kEbda, "an extended BIOS data area outside of conventional memory")                            \
  X(kRootLength, "a root pointer of a length that its revision cannot have")                       \
  X(kRootSum, "a root pointer without signature or sum")                                           \
  X(kRootTable, "a root table with another's signature")                                           \
  X(kTableNull, "a pointer to a table that is null")                                               \
  X(kTableSelf, "a pointer to a table that leads back to a root table")                            \
  X(kTableTwice, "a table that was named before")                                                  \
  X(kTablesFull, "a table beyond the limit")                                                       \
  X(kTableShort, "a table shorter than its header")                                                \
  X(kTableLong, "a table longer than the limit, or beyond the end of memory")                      \
  X(kTableSum, "a table with a wrong checksum")                                                    \
  X(kTableAgain, "another table of a kind that stands once")                                       \
  X(kTableFixed, "a table without room for its fixed part")                                        \
  X(kTail, "bytes behind the last whole entry of a table")                                         \
  X(kEntryLength, "the rest of a table, from an entry of impossible length on")                    \
  X(kEntryShort, "an entry too short for what it must say")                                        \
  X(kEntryUnknown, "an entry of a kind that is not known")                                         \
  X(kListFull, "an entry beyond the limit of its kind")                                            \
  X(kCpuEvery, "a CPU with the number that stands for all")                                        \
  X(kCpuTwice, "a CPU with the number of an earlier one")                                          \
  X(kAddress, "a device or mailbox without an address")                                            \
  X(kIoApicTwice, "an I/O APIC that begins at the interrupt of an earlier one")                    \
  X(kOverride, "an override of an interrupt that ISA does not have")                               \
  X(kOverrideTwice, "an override of what an earlier one says")                                     \
  X(kResetRegister, "a reset register that is promised and cannot be used")                        \
  X(kBuses, "a range of PCI buses whose ends make no sense")                                       \
  X(kBusesTwice, "a range of PCI buses over an earlier one")                                       \
  X(kTimer, "an event timer whose registers are not in memory")                                    \
  X(kTimerTwice, "an event timer of an earlier one's number")                                      \
  X(kRange, "a range of memory whose ends make no sense")                                          \
  X(kScopePath, "a device scope without a path, or with a longer one than the limit")

enum class AcpiOddity : uint8_t {
#define CLAY_ACPI_ODDITY_ENUM(id, text) id,
  CLAY_ACPI_ODDITIES(CLAY_ACPI_ODDITY_ENUM)
#undef CLAY_ACPI_ODDITY_ENUM
};
#define CLAY_ACPI_ODDITY_COUNT(id, text) +1
inline constexpr size_t kAcpiOddities = 0 CLAY_ACPI_ODDITIES(CLAY_ACPI_ODDITY_COUNT);
#undef CLAY_ACPI_ODDITY_COUNT

/// In words, for the log. Never null.
const char* acpi_oddity_text(AcpiOddity oddity);

using AcpiReport = KindCounts<AcpiOddity, kAcpiOddities>;

} // namespace clay
