#include "gates/worker/sanitizer.h"

#include <cstdio>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gates/support/exit_code.h"
#include "gates/worker/death_note.h"
#include "sim/sanitizer.h"

// Signals belong to fault_handlers.cpp. Nothing is symbolised in the worker, which cannot start a
// symbolizer. The quarantine is small: the machine's heap has its own.
#define KILN_SANITIZER_HOOK                                                                        \
  extern "C" __attribute__((used, visibility("default"), no_sanitize("address", "undefined")))

namespace {

// AddressSanitizer aborts when it does not get its terabytes. Asked before anything is set up: only
// plain system calls go.
[[clang::no_sanitize("address", "undefined")]] void refuse_limited_address_space() {
  static constexpr char kSentence[] =
      "kiln: the address space is limited (ulimit -v), and AddressSanitizer reserves terabytes of "
      "it, unused; start again without the limit (--memory bounds what is used).\n";
  static rlimit limit; // no call of memset
  syscall(SYS_getrlimit, RLIMIT_AS, &limit);
  if (!KILN_ASAN || limit.rlim_cur == 0 || limit.rlim_cur == RLIM_INFINITY) return;
  syscall(SYS_write, STDERR_FILENO, kSentence, sizeof kSentence - 1);
  syscall(SYS_exit_group, kiln::gates::status_of(kiln::gates::ExitCode::kUsage));
}

} // namespace

KILN_SANITIZER_HOOK const char* __asan_default_options() {
  refuse_limited_address_space();
  return "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:"
         "handle_sigtrap=0:handle_abort=0:use_sigaltstack=0:abort_on_error=0:exitcode=99:"
         "symbolize=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64:"
         "malloc_context_size=4:detect_stack_use_after_return=0:allocator_may_return_null=1";
}

KILN_SANITIZER_HOOK const char* __ubsan_default_options() { return "print_stacktrace=0"; }

namespace kiln::gates {

static DeathNote* note_of_worker = nullptr;

void note_sanitizer_reports(DeathNote& note) { note_of_worker = &note; }

bool has_address_sanitizer() { return sim::kAsan; }

} // namespace kiln::gates

#if KILN_ASAN

extern "C" void __ubsan_get_current_report_data(const char** kind, const char** message,
                                                const char** file, unsigned* line, unsigned* column,
                                                char** address);

KILN_SANITIZER_HOOK void __asan_on_error() {
  using namespace kiln;
  if (gates::note_of_worker == nullptr) return;
  char headline[256];
  std::snprintf(headline, sizeof headline, "AddressSanitizer: %s of %zu bytes (%s)",
                __asan_get_report_access_type() != 0 ? "write" : "read",
                __asan_get_report_access_size(), __asan_get_report_description());
  gates::leave_note(*gates::note_of_worker, sim::Rule::kAddress, headline,
                    reinterpret_cast<uint64_t>(__asan_get_report_pc()),
                    reinterpret_cast<uint64_t>(__asan_get_report_bp()));
}

KILN_SANITIZER_HOOK void __ubsan_on_report() {
  using namespace kiln;
  if (gates::note_of_worker == nullptr) return;
  const char* kind = nullptr;
  const char* message = nullptr;
  const char* file = nullptr;
  unsigned line = 0;
  unsigned column = 0;
  char* address = nullptr;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  char headline[512];
  std::snprintf(headline, sizeof headline, "%s (%s:%u)", message, file, line);
  gates::leave_note(*gates::note_of_worker, sim::Rule::kUndefined, headline, 0, 0);
}

#endif
