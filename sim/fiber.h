#pragma once
// Fibers: execution contexts on stacks of their own, on Boost.Context's bare switch, with the
// sanitizers told of every one. What libc and libstdc++ keep per OS thread and a fiber may be in
// the middle of (errno, the stack of caught exceptions) is kept per fiber.

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

#include "sim/sanitizer.h"

namespace kiln::sim {

/// A suspended (or the running) execution. Plain data: copying a suspended one and its stack is a
/// snapshot of it.
struct Fiber {
  boost::context::detail::fcontext_t context;
  void* fake_stack;
  const void* bottom; ///< lowest address of the stack
  size_t size;
  uintptr_t caught_exceptions[2];
  int error_number;
};

/// The per-thread words that fibers keep for themselves.
struct ThreadWords {
  uintptr_t* caught_exceptions; ///< __cxa_get_globals: two words (Itanium C++ ABI, 2.2.2)
  int* error_number;
};
extern ThreadWords thread_words;

/// Call once in the thread that runs the machine.
void init_fibers();

/// Prepares a fiber that will run entry() at its first switch. entry never returns.
void make_fiber(Fiber& fiber, void* stack_bottom, size_t stack_size,
                void (*entry)(boost::context::detail::transfer_t));

/// To be called first thing in a fiber's entry.
void fiber_started(boost::context::detail::transfer_t from);

/// Leaves `from` and goes on in `to`. Returns when somebody switches back to `from`.
inline void switch_fiber(Fiber& from, Fiber& to) {
  from.caught_exceptions[0] = thread_words.caught_exceptions[0];
  from.caught_exceptions[1] = thread_words.caught_exceptions[1];
  from.error_number = *thread_words.error_number;
#if KILN_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
#endif
  boost::context::detail::transfer_t back =
      boost::context::detail::jump_fcontext(to.context, &from);
  static_cast<Fiber*>(back.data)->context = back.fctx;
#if KILN_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
  thread_words.caught_exceptions[0] = from.caught_exceptions[0];
  thread_words.caught_exceptions[1] = from.caught_exceptions[1];
  *thread_words.error_number = from.error_number;
}

} // namespace kiln::sim
