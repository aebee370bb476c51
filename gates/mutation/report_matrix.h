#pragma once
// Mutants by target and strategy: how many inputs each needed to find each. What the tables of
// strengths and gaps of a gate are made from.

#include <string>
#include <vector>

#include "gates/mutation/results.h"

namespace kiln::gates {

/// Inputs to find, over several mutants.
struct InputsToFind {
  uint64_t tried = 0;
  uint64_t found = 0;
  uint64_t median = 0; ///< of those found; 0 without any. Nearest rank, as is the next.
  uint64_t p90 = 0;
  uint64_t most = 0;
};
/// `tried` counts those not found too.
InputsToFind inputs_to_find(std::vector<uint64_t> found, uint64_t tried);

/// The whole matrix's where it was run, else those of the run.
const std::vector<MutantTry>& tries_of(const MutantResult& result);

struct MatrixRow {
  std::string name;     ///< a target or an operator
  std::string strategy; ///< "" for an operator: whichever found it first
  InputsToFind inputs;
};
/// By target and strategy, by name: from every try of every mutant of kernel and catalogue.
std::vector<MatrixRow> matrix_by_target(const MutationReport& report,
                                        const sim::MutantTable& table);
/// By operator: from the kills of the kernel's mutants that count.
std::vector<MatrixRow> matrix_by_operator(const MutationReport& report,
                                          const sim::MutantTable& table);

std::string matrix_json(const MutationReport& report, const sim::MutantTable& table);
/// The same as Markdown tables.
std::string matrix_markdown(const MutationReport& report, const sim::MutantTable& table);

} // namespace kiln::gates
