#include "gates/support/interrupt.h"

#include <csignal>
#include <initializer_list>
#include <unistd.h>

#include "gates/support/exit_code.h"

namespace kiln::gates {

namespace {

volatile std::sig_atomic_t asked = 0;

void on_interrupt(int) {
  if (asked != 0) _exit(status_of(ExitCode::kInconclusive));
  asked = 1;
}

} // namespace

void watch_for_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return asked != 0; }

} // namespace kiln::gates
