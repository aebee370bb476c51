// What a rewritten program needs that is not one of Kiln's: compile this file, mutant_table.cpp of
// the rewritten tree, and the rewritten sources.
//
//   KILN_MUTANT=17 ./program     with mutant 17 switched on; without the variable none is
//   KILN_MUTANT=count ./program  prints the number of mutants and ends

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kiln_mutants.h"
#include "sim/mutants.h"

extern "C" const kiln::sim::MutantTable kiln_mutant_table;

bool kiln_mutant_visit(unsigned char*) { return true; }
void kiln_mutant_differs(const unsigned char*) {}
/// A loop of the program that never ends, as far as can be told.
void kiln_mutant_no_fuel() {
  fputs("kiln: the program's loops take too many turns\n", stderr);
  _Exit(124);
}

namespace {

constexpr long kLoopTurns = 1'000'000'000;

/// Before the constructors of the program's own statics.
__attribute__((constructor(101))) void switch_on() {
  kiln_mutants::fuel = kLoopTurns;
  const char* word = getenv("KILN_MUTANT");
  if (word == nullptr) return;
  if (strcmp(word, "count") == 0) {
    printf("%zu\n", kiln_mutant_table.mutants.size());
    exit(0);
  }
  char* end = nullptr;
  unsigned long number = strtoul(word, &end, 10);
  if (*word == '\0' || *end != '\0' || number >= kiln_mutant_table.mutants.size()) {
    fprintf(stderr, "kiln: KILN_MUTANT=%s is no mutant's number; there are %zu, from 0\n", word,
            kiln_mutant_table.mutants.size());
    exit(2);
  }
  const kiln::sim::Mutant& mutant = kiln_mutant_table.mutants[number];
  *mutant.at = mutant.variant;
  for (uint8_t* at : mutant.also) {
    *at = mutant.variant;
  }
}

} // namespace
