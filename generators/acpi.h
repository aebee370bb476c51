#pragma once
// The ACPI tables of a whole machine out of choices: where the root pointer is, root tables, CPUs
// and interrupt controllers, fixed hardware, PCI, timers, nearness, DMA remapping, and tables that
// nobody looks into. What real machines hand over most of the time, oddly placed at times; then, in
// most inputs, one lie. The empty tape gives a PC with one CPU, everything in order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/tape.h"

namespace kiln::gen {

enum class AcpiLie : uint8_t {
  kNone,
  kTableLength,
  kTableSum,
  kTableByte, ///< a wrong byte under a right checksum
  kTableCut,  ///< ends early, length and checksum in agreement
  kEntryLength,
  kPointer, ///< in a root table
  kRootPointer,
  kRootTable, ///< its signature, or that it is there
  kDsdt,
  kWindow, ///< memory that cannot be mapped
};
inline constexpr size_t kAcpiLies = 11;

struct AcpiFirmware {
  struct Piece {
    uint64_t first;
    std::vector<uint8_t> bytes;
  };
  enum class Root : uint8_t { kTag, kPointer, kEbda, kBios, kNowhere };

  std::vector<Piece> memory;                       ///< later ones lie over earlier ones
  std::vector<uint8_t> tag;                        ///< a copy of the root pointer; empty: none
  uint64_t pointer = 0;                            ///< where it is; 0: not said
  size_t slots = 8;                                ///< of the window
  std::optional<uint64_t> refused_request;         ///< from 0
  std::optional<uint64_t> refused_page;            ///< its address: only requests in it are counted
  uint64_t last_address = (uint64_t{1} << 52) - 1; ///< that the CPU has: x86-64's, or one to come's
  AcpiLie lie = AcpiLie::kNone;
  Root root = Root::kTag;
};

AcpiFirmware make_acpi(sim::Tape& tape);

/// Sets the checksum of the first `bytes` (at least 10) of a table.
void seal_acpi_table(std::span<uint8_t> table, size_t bytes);

} // namespace kiln::gen
