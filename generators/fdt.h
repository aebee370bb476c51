#pragma once
// Device trees out of choices: boards as firmware describes them, sound most of the time, with one
// lie in the others and rarely more. The empty tape gives a plain, valid board.
//
// Which board and what is out of the ordinary come from the swarm lane, the board from the data
// lane, lies from the fault lane.

#include <cstdint>
#include <span>
#include <vector>

#include "generators/fdt/facts.h"
#include "generators/fdt/lies.h"
#include "generators/fdt/tree.h"
#include "sim/tape.h"

namespace kiln::gen::fdt {

inline constexpr uint32_t kMostLies = 3;

struct Product {
  /// What firmware hands over; may be longer than the tree in it, or cut.
  std::vector<uint8_t> blob;
  /// What was meant.
  Tree tree;
  Facts facts;
  uint32_t boot_cpu = 0;
  Lie lies[kMostLies];
  uint32_t lie_count = 0;

  /// The blob is well formed and says exactly `tree`.
  bool sound() const;
  /// Besides, the tree says what `facts` say.
  bool plain() const { return lie_count == 0; }
};

Product make(sim::Tape& tape);

} // namespace kiln::gen::fdt
