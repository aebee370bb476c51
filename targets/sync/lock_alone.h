#pragma once
// For sync/locks: what each lock promises to a task that has it for itself: that it is there to be
// taken, what a second attempt finds, what becomes of interrupts. Beside it the rules of the
// machine judge that what is taken is given back.

namespace kiln::sync {

void check_locks_alone();

} // namespace kiln::sync
