#include "mutants/operators/families.h"

namespace kiln::mutants {

std::vector<std::unique_ptr<Operator>> all_operators() {
  std::vector<std::unique_ptr<Operator>> all;
  // General
  all.push_back(make_drop_check());
  all.push_back(make_negate());
  all.push_back(make_comparison());
  all.push_back(make_arithmetic());
  all.push_back(make_constant());
  all.push_back(make_swap_arguments());
  all.push_back(make_drop_call());
  all.push_back(make_drop_assignment());
  all.push_back(make_early_return());
  all.push_back(make_skip_iteration());
  all.push_back(make_drop_case());
  all.push_back(make_checked_to_wrapping());
  // Kernel
  all.push_back(make_guard());
  all.push_back(make_section());
  all.push_back(make_drop_irq_disable());
  all.push_back(make_weaken_order());
  all.push_back(make_sequence());
  all.push_back(make_skip_recheck());
  all.push_back(make_extra_reference());
  all.push_back(make_ring_index());
  // Harness
  all.push_back(make_drop_oracle());
  all.push_back(make_clamp_draw());
  return all;
}

} // namespace kiln::mutants
