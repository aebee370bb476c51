#pragma once
// Lock operations are always inlined: the annotations take the address they return to as the place
// where a lock was taken, and that place has to lie in the code that uses the lock.

#define CLAY_INLINE [[gnu::always_inline]] inline
#define CLAY_SLOW_PATH [[gnu::noinline, gnu::cold]]
