#include "sim/fiber.h"

#include <cerrno>
#include <cxxabi.h>
#include <pthread.h>

namespace kiln::sim {

namespace ctx = boost::context::detail;

ThreadWords thread_words;

void init_fibers() {
  thread_words.caught_exceptions = reinterpret_cast<uintptr_t*>(abi::__cxa_get_globals());
  thread_words.error_number = &errno;
}

void make_fiber(Fiber& fiber, void* stack_bottom, size_t stack_size,
                void (*entry)(ctx::transfer_t)) {
  fiber = Fiber{};
  fiber.bottom = stack_bottom;
  fiber.size = stack_size;
  fiber.context =
      ctx::make_fcontext(static_cast<char*>(stack_bottom) + stack_size, stack_size, entry);
}

void fiber_started(ctx::transfer_t from) {
  auto* left = static_cast<Fiber*>(from.data);
  left->context = from.fctx;
  thread_words.caught_exceptions[0] = 0;
  thread_words.caught_exceptions[1] = 0;
  *thread_words.error_number = 0;
#if KILN_ASAN
  const void* bottom = nullptr;
  size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
  if (left->bottom == nullptr) { // the thread's own stack
    left->bottom = bottom;
    left->size = size;
  }
#endif
}

} // namespace kiln::sim
