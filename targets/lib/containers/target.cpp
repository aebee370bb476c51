// lib/containers: Clay's list, tree, bitmap, rings and hash table, each against a std:: container
// by a random program, with the structure's own rules (links, colours and black heights, chains)
// checked after every step.
//
// Does not check: use by several tasks at once (lib/spsc does, for the one container made for it).

#include "sim/target.h"

#include "sim/probe.h"
#include "targets/lib/containers/programs.h"

namespace kiln::targets {
namespace {

void run(sim::Run& run) {
  constexpr void (*kPrograms[])(sim::Run&) = {run_list, run_tree,      run_bitmap,
                                              run_ring, run_byte_ring, run_hash_table};
  run.tape.data().pick(kPrograms)(run);
}

const sim::Target target{{
    .name = kContainers,
    .purpose = "List, tree, bitmap, rings and hash table against models, by random programs.",
    .run = run,
    .gate_inputs = 50'000,
    .longest_tape = 768,
    .tags = "lib,pure",
}};

} // namespace
} // namespace kiln::targets
