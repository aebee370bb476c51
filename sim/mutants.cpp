// The switches of mutants, and what is seen of them. Called from the subject's code: no allocation
// on the paths of an input.

#include "sim/mutants.h"

#include "sim/core.h"
#include "sim/machine.h"
#include "sim/mutant_switch.h"

extern "C" {
extern const kiln::sim::MutantTable kiln_mutant_table __attribute__((weak));
extern uint8_t __start_kiln_mutants[] __attribute__((weak));
extern uint8_t __stop_kiln_mutants[] __attribute__((weak));
}

namespace kiln::sim {
namespace {

MutantSeen seen;
std::vector<uint32_t> visited; ///< has room for all sites while they are recorded
int64_t fuel_of_input = INT64_MAX;
int64_t fuel_spent; ///< of fuel given again

} // namespace

const MutantTable& mutant_table() {
  static constexpr MutantTable kNone{};
  return &kiln_mutant_table != nullptr ? kiln_mutant_table : kNone;
}

std::span<uint8_t> mutant_sites() { return {__start_kiln_mutants, __stop_kiln_mutants}; }

void arm_mutant(const Mutant& mutant) {
  *mutant.at = mutant.variant;
  for (uint8_t* at : mutant.also) {
    *at = mutant.variant;
  }
}

MutantSeen mutant_seen() { return seen; }

void record_sites() {
  visited.reserve(mutant_sites().size());
  visited.clear();
  for (const Mutant& mutant : mutant_table().mutants) {
    *mutant.at = kSiteRecords;
    for (uint8_t* at : mutant.also) {
      *at = kSiteRecords;
    }
  }
}

std::vector<uint32_t> take_visited_sites() {
  std::vector<uint32_t> taken(visited.begin(), visited.end());
  for (uint32_t site : visited) {
    mutant_sites()[site] = kSiteRecords;
  }
  visited.clear();
  return taken;
}

void set_loop_fuel(int64_t iterations) { fuel_of_input = iterations; }
void begin_loop_fuel() {
  fuel_spent = 0;
  kiln_mutants::fuel = fuel_of_input;
}
int64_t loop_fuel_used() { return fuel_spent + (fuel_of_input - kiln_mutants::fuel); }

} // namespace kiln::sim

bool kiln_mutant_visit(unsigned char* at) {
  using namespace kiln::sim;
  if (*at != kSiteRecords) {
    ++seen.visits;
    return true;
  }
  visited.push_back(static_cast<uint32_t>(at - mutant_sites().data()));
  *at = 0;
  return false;
}

void kiln_mutant_differs(const unsigned char*) { ++kiln::sim::seen.differs; }

void kiln_mutant_no_fuel() {
  using namespace kiln::sim;
  fuel_spent += fuel_of_input - kiln_mutants::fuel; // what runs on the way out has loops too
  kiln_mutants::fuel = fuel_of_input;
  if (core.running) {
    machine().fail(Rule::kHang, "the loops of this input take more than %lld turns",
                   static_cast<long long>(fuel_of_input));
  }
}
