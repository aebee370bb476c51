#pragma once
// The families of operators, one a file.

#include <memory>

#include "mutants/operators/operator.h"

namespace kiln::mutants {

std::unique_ptr<Operator> make_arithmetic();
std::unique_ptr<Operator> make_checked_to_wrapping();
std::unique_ptr<Operator> make_clamp_draw();
std::unique_ptr<Operator> make_comparison();
std::unique_ptr<Operator> make_constant();
std::unique_ptr<Operator> make_drop_assignment();
std::unique_ptr<Operator> make_drop_call();
std::unique_ptr<Operator> make_drop_case();
std::unique_ptr<Operator> make_drop_check();
std::unique_ptr<Operator> make_drop_irq_disable();
std::unique_ptr<Operator> make_drop_oracle();
std::unique_ptr<Operator> make_early_return();
std::unique_ptr<Operator> make_extra_reference();
std::unique_ptr<Operator> make_guard();
std::unique_ptr<Operator> make_negate();
std::unique_ptr<Operator> make_ring_index();
std::unique_ptr<Operator> make_section();
std::unique_ptr<Operator> make_sequence();
std::unique_ptr<Operator> make_skip_iteration();
std::unique_ptr<Operator> make_skip_recheck();
std::unique_ptr<Operator> make_swap_arguments();
std::unique_ptr<Operator> make_weaken_order();

} // namespace kiln::mutants
