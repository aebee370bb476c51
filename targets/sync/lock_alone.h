#pragma once
// For sync/locks: what each lock promises to a task that has it for itself, or meets one other:
// that it is there to be taken, what a second attempt finds, what becomes of interrupts. Beside it
// the rules of the machine judge that what is taken is given back.

namespace kiln::sync {

/// `may_fail`: an allocation may still be made to fail.
void check_locks_alone(bool may_fail);

} // namespace kiln::sync
