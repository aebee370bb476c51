#pragma once
// For mm/pagetable and mm/pagetable-smp: the steps of a program, and how they are drawn.

#include <cstdint>
#include <vector>

#include "sim/tape.h"
#include "targets/mm/mmu.h"

namespace kiln::mm {

enum class TableAct : uint8_t {
  kMap,
  kAccess,
  kUnmap,
  kProtect,
  kAccessMany,
  kFind,
  kRaise,
  kWindow,
};

struct TableStep {
  TableAct act;
  uint8_t which;
  uint64_t address;
  uint64_t bytes;
  uint64_t physical;
  Rights rights;
  Access access;
};

TableStep draw_table_step(sim::Tape& tape, unsigned physical_bits);
std::vector<TableStep> draw_table_steps(sim::Tape& tape, uint64_t count, unsigned physical_bits);

} // namespace kiln::mm
