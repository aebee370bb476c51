#include "sim/mutants.h"

#include <cstdlib>
#include <cstring>

#include "mutants/switch.h"
#include "sim/core.h"
#include "sim/host_memory.h"

// The linker's names of the section's ends; absent in a program without mutants, as is the table.
extern "C" {
__attribute__((weak)) extern unsigned char __start_kiln_mutants[];
__attribute__((weak)) extern unsigned char __stop_kiln_mutants[];
__attribute__((weak)) extern const kiln::sim::MutantTable kiln_mutant_table;
}

namespace kiln::sim {

namespace {

constexpr int64_t kNoLimit = INT64_MAX;

MutantSeen seen;
uint32_t* visited; ///< room for every byte
size_t visited_count;
int64_t fuel_limit = kNoLimit;

void record_all(uint8_t value) {
  for (const Mutant& mutant : mutant_table().mutants)
    *mutant.at = value;
}

} // namespace

const MutantTable& mutant_table() {
  static constexpr MutantTable kNone{};
  const MutantTable* table = &kiln_mutant_table;
  return table != nullptr ? *table : kNone;
}

std::span<uint8_t> mutant_sites() {
  unsigned char* begin = __start_kiln_mutants;
  if (begin == nullptr) return {};
  return {begin, static_cast<size_t>(__stop_kiln_mutants - begin)};
}

void arm_mutant(const Mutant& mutant) { *mutant.at = mutant.variant; }

void disarm_mutants() {
  record_all(0);
  seen = {};
  visited_count = 0;
}

MutantSeen mutant_seen() { return seen; }

void record_sites() {
  if (visited == nullptr) {
    visited = static_cast<uint32_t*>(std::calloc(mutant_sites().size() + 1, sizeof *visited));
    if (visited == nullptr) std::abort();
  }
  visited_count = 0;
  record_all(kSiteRecords);
}

std::vector<uint32_t> take_visited_sites() {
  HostMemory outlives_the_input;
  std::vector<uint32_t> sites(visited, visited + visited_count);
  for (uint32_t site : sites)
    mutant_sites()[site] = kSiteRecords;
  visited_count = 0;
  return sites;
}

void set_loop_fuel(int64_t iterations) {
  fuel_limit = iterations;
  kiln_mutants::fuel = iterations;
}

int64_t loop_fuel_used() { return fuel_limit - kiln_mutants::fuel; }

void refill_loop_fuel() { kiln_mutants::fuel = fuel_limit; }

} // namespace kiln::sim

extern "C" bool kiln_mutant_visit(unsigned char* at) {
  using namespace kiln::sim;
  if (*at != kSiteRecords) {
    ++seen.visits;
    return true;
  }
  *at = 0;
  visited[visited_count++] = static_cast<uint32_t>(at - mutant_sites().data());
  return false;
}

extern "C" void kiln_mutant_differs(const unsigned char*) { ++kiln::sim::seen.differs; }

extern "C" void kiln_mutant_no_fuel() {
  using namespace kiln::sim;
  bool limited = fuel_limit != kNoLimit;
  // What runs outside of an input (the end of the finding's run among it) may take what it needs.
  kiln_mutants::fuel = kNoLimit;
  if (limited && core.running) {
    machine().fail(Rule::kHang, "the input takes more loop iterations than any that ends should");
  }
}
