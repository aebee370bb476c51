#include "gates/mutation/armed_boot.h"

#include <fmt/format.h>

#include "gates/mutation/program_identity.h"
#include "gates/mutation/record_run.h"
#include "gates/support/build_facts.h"
#include "sim/mutants.h"

namespace kiln::gates {

bool armed_boot(const Settings& settings, const sim::Target& target, BootPlan* boot,
                std::string* error) {
  if (!settings.mutant.has_value()) return true;
  size_t count = sim::mutant_table().mutants.size();
  if (count == 0) {
    *error = fmt::format("This program (flavour '{}') has no mutants: use --flavour mutants.",
                         build_facts().flavour);
    return false;
  }
  if (*settings.mutant >= count) {
    *error = fmt::format("There is no mutant {}: they are numbered from 0 to {}.", *settings.mutant,
                         count - 1);
    return false;
  }
  boot->armed = {static_cast<uint32_t>(*settings.mutant)};
  std::string identity = program_identity(error);
  if (identity.empty()) return false;
  boot->loop_fuel = recorded_fuel(settings.out + "/mutation/recorded", identity, target);
  return true;
}

} // namespace kiln::gates
