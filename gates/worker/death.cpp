#include "gates/worker/death.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/wait.h>

namespace kiln::gates {

sim::Finding plain_finding(sim::Rule rule, const char* headline) {
  sim::Finding finding{};
  finding.rule = rule;
  std::snprintf(finding.headline, sizeof finding.headline, "%s", headline);
  return finding;
}

int death_signal(const Death& death) {
  return WIFSIGNALED(death.wait_status) ? WTERMSIG(death.wait_status) : 0;
}

bool killed_from_outside(const Death& death, const DeathNote& note) {
  int signal = death_signal(death);
  bool asked_to_end = signal == SIGKILL || signal == SIGTERM || signal == SIGINT ||
                      signal == SIGHUP || signal == SIGQUIT || signal == SIGXCPU;
  return asked_to_end && death.killed == KillReason::kNone && !note.valid;
}

sim::Finding finding_of_death(const Death& death, const DeathNote& note) {
  if (death.killed == KillReason::kHang) {
    return plain_finding(sim::Rule::kHang, kTimeOutFromOutside);
  }
  if (death.killed == KillReason::kMemory) {
    return plain_finding(sim::Rule::kCrash,
                         "the input used more of the host's memory than a worker "
                         "may have");
  }
  if (note.valid) {
    sim::Finding finding = plain_finding(note.rule, note.headline);
    finding.stack = note.stack;
    return finding;
  }
  char headline[160];
  if (int signal = death_signal(death); signal != 0) {
    std::snprintf(headline, sizeof headline, "the process was ended by %s (%s)",
                  sigabbrev_np(signal) != nullptr ? sigabbrev_np(signal) : "a signal",
                  sigdescr_np(signal) != nullptr ? sigdescr_np(signal) : "unknown");
  } else {
    std::snprintf(headline, sizeof headline, "the process ended itself with status %d",
                  WEXITSTATUS(death.wait_status));
  }
  return plain_finding(sim::Rule::kCrash, headline);
}

} // namespace kiln::gates
