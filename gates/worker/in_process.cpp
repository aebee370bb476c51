#include "gates/worker/in_process.h"

#include "gates/support/environment.h"
#include "gates/support/subprocess.h"
#include "gates/worker/worker.h"

namespace kiln::gates {

namespace {

LabResult failed(std::string trouble) {
  LabResult result;
  result.failed = true;
  result.trouble = std::move(trouble);
  return result;
}

} // namespace

LabResult run_in_this_process(const SingleJob& job, const BootPlan& boot) {
  carry_out(boot);
  std::string error;
  if (!sim::boot(&error)) return failed(error);
  WorkerSlot* slot = map_slot();
  if (slot == nullptr) return failed("There is no memory.");
  Executor executor(Isolate::kProcess, *slot);
  LabResult result;
  result.done = run_single(job, executor);
  unmap_slot(slot);
  return result;
}

std::string become_debugger() {
  if (find_program("gdb").empty()) return "gdb is not there: install the Debian package gdb.";
  std::vector<std::string> words = {"gdb",   "-q",
                                    "-ex",   "set breakpoint pending on",
                                    "-ex",   "handle SIGUSR1 nostop noprint",
                                    "-ex",   "break kiln::sim::abandon_run",
                                    "-ex",   "run",
                                    "--args"};
  for (const std::string& argument : program_arguments()) {
    words.push_back(argument == "--gdb" ? "--no-fork" : argument);
  }
  mark_environment_settled();
  become(words);
  return "gdb could not be started.";
}

} // namespace kiln::gates
