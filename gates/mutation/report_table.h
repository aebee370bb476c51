#pragma once
// The run on a terminal: counts by place and by operator, survivors, the catalogue, the harness.

#include <cstddef>
#include <string>

#include "gates/mutation/results.h"
#include "gates/support/style.h"

namespace kiln::gates {

struct TableLook {
  Style style{false};
  size_t most_survivors = 40; ///< shown; how many more there are is said
};
std::string mutation_table(const MutationReport& report, const sim::MutantTable& table,
                           const TableLook& look);
/// In the colours of standard output.
std::string mutation_table(const MutationReport& report, const sim::MutantTable& table);

} // namespace kiln::gates
