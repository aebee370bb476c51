// The switches for a program without the machine: link it with the rewritten sources and
// mutant_table.cpp, and run the program's own tests with KILN_MUTANT=<number> in the environment
// (docs/mutation.md, "Other people's code"). Without it, or with a number that is none, the original
// runs.

#include <cstdio>
#include <cstdlib>

#include "mutants/switch.h"
#include "sim/mutants.h"

extern "C" const kiln::sim::MutantTable kiln_mutant_table;

namespace {

constexpr long kLoopTurns = 100'000'000;
/// Of a program whose loops do not end.
constexpr int kHangStatus = 124;

[[gnu::constructor]] void arm() {
  kiln_mutants::fuel = kLoopTurns;
  const char* chosen = std::getenv("KILN_MUTANT");
  if (chosen == nullptr) return;
  char* end = nullptr;
  unsigned long number = std::strtoul(chosen, &end, 10);
  if (end == chosen || *end != '\0' || number >= kiln_mutant_table.mutants.size()) {
    std::fprintf(stderr, "KILN_MUTANT=%s is no mutant; there are %zu, from 0.\n", chosen,
                 kiln_mutant_table.mutants.size());
    std::exit(2);
  }
  const kiln::sim::Mutant& mutant = kiln_mutant_table.mutants[number];
  *mutant.at = mutant.variant;
  for (uint8_t* at : mutant.also)
    *at = mutant.variant;
}

} // namespace

bool kiln_mutant_visit(unsigned char*) { return true; }
void kiln_mutant_differs(const unsigned char*) {}
void kiln_mutant_no_fuel() {
  std::fprintf(stderr, "the program's loops take more than %ld turns\n", kLoopTurns);
  std::_Exit(kHangStatus);
}
