#include "gates/worker/forked_run.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gates/worker/death.h"
#include "gates/worker/packing.h"

namespace kiln::gates {

template <> struct Packed<sim::Outcome> {
  static constexpr std::tuple fields{
      &sim::Outcome::found,       &sim::Outcome::finding,  &sim::Outcome::digest,
      &sim::Outcome::points,      &sim::Outcome::switches, &sim::Outcome::clock_ns,
      &sim::Outcome::allocations, &sim::Outcome::tape,     &sim::Outcome::edges};
};

namespace {

void pack_outcome(Packer& to, const sim::Outcome& outcome, const sim::TapeRecord& spans,
                  const sim::Exhibits& exhibits, const std::string& words) {
  to.put(outcome);
  to.put(spans.spans);
  to.put(spans.draws);
  to.put(exhibits);
  to.put(words);
}

bool unpack_outcome(const std::vector<uint8_t>& bytes, sim::Outcome* outcome,
                    sim::TapeRecord* spans, sim::Exhibits* exhibits, std::string* words) {
  Unpacker from(bytes);
  from.get(outcome);
  from.get(&spans->spans);
  from.get(&spans->draws);
  from.get(exhibits);
  from.get(words);
  return !from.failed();
}

[[noreturn]] void child(int out, const Input& input, sim::ExecuteOptions options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sim::TapeRecord spans;
  if (options.spans != nullptr) options.spans = &spans;
  sim::Exhibits exhibits;
  if (options.exhibits != nullptr) options.exhibits = &exhibits;
  std::string words;
  sim::Outcome outcome = execute_input(input, options, &words);
  Packer packer;
  pack_outcome(packer, outcome, spans, exhibits, words);
  const std::vector<uint8_t>& bytes = packer.bytes();
  size_t at = 0;
  while (at < bytes.size()) {
    ssize_t n = write(out, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    at += static_cast<size_t>(n);
  }
  _exit(0);
}

std::vector<uint8_t> read_to_end(int in) {
  std::vector<uint8_t> bytes;
  uint8_t buffer[16384];
  while (true) {
    ssize_t n = read(in, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return bytes;
    bytes.insert(bytes.end(), buffer, buffer + n);
  }
}

sim::Outcome failed_outcome(sim::Finding finding) {
  sim::Outcome outcome;
  outcome.found = true;
  outcome.finding = finding;
  return outcome;
}

} // namespace

sim::Outcome execute_forked(WorkerSlot& slot, const Input& input,
                            const sim::ExecuteOptions& options, std::string* words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) _exit(kWorkerCannotGoOn);
  slot.note.valid = false;
  slot.killed = KillReason::kNone;
  pid_t pid = fork();
  if (pid < 0) _exit(kWorkerCannotGoOn);
  if (pid == 0) {
    close(ends[0]);
    child(ends[1], input, options);
  }
  slot.runner.store(pid);
  close(ends[1]);
  std::vector<uint8_t> bytes = read_to_end(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  slot.runner.store(getpid());

  sim::Outcome outcome;
  sim::TapeRecord spans;
  sim::Exhibits exhibits;
  std::string said;
  bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!ended_well || !unpack_outcome(bytes, &outcome, &spans, &exhibits, &said)) {
    return failed_outcome(
        finding_of_death({status, slot.killed.exchange(KillReason::kNone)}, slot.note));
  }
  if (options.spans != nullptr) *options.spans = std::move(spans);
  if (options.exhibits != nullptr) *options.exhibits = std::move(exhibits);
  if (words != nullptr) *words = std::move(said);
  return outcome;
}

} // namespace kiln::gates
