#pragma once
// For mm/addresses and mm/addresses-smp: the window of a run, the steps of a program, and how they
// are drawn.

#include <cstdint>
#include <vector>

#include "sim/tape.h"
#include "targets/mm/mmu.h"

namespace kiln::mm {

/// Both ends included.
struct AddressWindow {
  uint64_t first;
  uint64_t last;
};

/// One that may be used.
AddressWindow draw_window(sim::Tape& tape);
/// Any, most of them refused.
AddressWindow draw_odd_window(sim::Tape& tape);

enum class AddressAct : uint8_t {
  kTake,
  kGiveBack,
  kTakeMany,
  kMapDevice,
  kMapMemory,
  kUnmap,
  kUse,
  kFind,
  kOddWindow,
  kHoldPages,
  kRaise,
};

struct AddressStep {
  AddressAct act;
  uint8_t which;
  uint8_t count;
  uint64_t bytes; ///< of a range; of memory and devices any number
  uint64_t align;
  uint64_t physical;
  uint64_t offset; ///< of an access
  Rights rights;
  Access access;
  AddressWindow window;
};

AddressStep draw_address_step(sim::Tape& tape, unsigned physical_bits);
std::vector<AddressStep> draw_address_steps(sim::Tape& tape, uint64_t count,
                                            unsigned physical_bits);

} // namespace kiln::mm
