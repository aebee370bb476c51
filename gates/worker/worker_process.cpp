#include "gates/worker/worker_process.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gates/support/coverage_profile.h"
#include "gates/worker/worker.h"

namespace kiln::gates {

namespace {

constexpr size_t kMostWords = 32768;

constexpr std::chrono::seconds kProfileTime{20};

// Whether the process has ended; it can still be waited for.
bool ended_within(pid_t pid, std::chrono::milliseconds most) {
  constexpr std::chrono::milliseconds kPause{5};
  for (std::chrono::milliseconds waited{0}; waited < most; waited += kPause) {
    siginfo_t info{};
    int looked = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
    if (looked != 0 || info.si_pid == pid) return true;
    usleep(std::chrono::microseconds(kPause).count());
  }
  return false;
}

std::string sentence(const char* what) {
  return std::string(what) + ": " + std::strerror(errno) + ".";
}

} // namespace

std::unique_ptr<WorkerProcess> WorkerProcess::start(Isolate isolate, const BootPlan& plan,
                                                    std::string* error) {
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess);
  worker->may_fail_to_boot_ = !plan.armed.empty();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    *error = sentence("No worker can be started, there is no socket for it");
    return nullptr;
  }
  worker->socket_ = ends[0];
  worker->slot_ = map_slot();
  worker->words_ = memfd_create("words", MFD_CLOEXEC);
  if (worker->words_ >= 0) fcntl(worker->words_, F_SETFL, O_APPEND);
  std::fflush(nullptr);
  worker->pid_ = worker->slot_ != nullptr && worker->words_ >= 0 ? fork() : -1;
  if (worker->pid_ == 0) {
    close(ends[0]);
    worker_main({ends[1], worker->words_, worker->slot_, isolate, &plan});
  }
  close(ends[1]);
  if (worker->pid_ < 0) {
    *error = sentence("No worker can be started");
    return nullptr;
  }
  worker->slot_->runner = worker->pid_;
  return worker;
}

WorkerProcess::~WorkerProcess() {
  if (socket_ >= 0) close(socket_);
  if (pid_ > 0) {
    // An idle worker ends by itself when its socket does, and writes its profile then.
    if (!counts_coverage() || busy() || !ended_within(pid_, kProfileTime)) kill(pid_, SIGKILL);
    reap();
  }
  if (words_ >= 0) close(words_);
  unmap_slot(slot_);
}

int WorkerProcess::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

std::string WorkerProcess::words() const {
  off_t size = lseek(words_, 0, SEEK_END);
  if (size <= 0) return "";
  off_t from = size > static_cast<off_t>(kMostWords) ? size - static_cast<off_t>(kMostWords) : 0;
  std::string text(static_cast<size_t>(size - from), '\0');
  ssize_t n = pread(words_, text.data(), text.size(), from);
  text.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return text;
}

std::chrono::nanoseconds WorkerProcess::cpu_time() const {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool WorkerProcess::stopped() const {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(slot_->runner.load()));
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return false;
  char state = 0;
  int found = std::fscanf(file, "%*d (%*[^)]) %c", &state);
  std::fclose(file);
  return found == 1 && state == 'T';
}

uint64_t WorkerProcess::resident_bytes() const {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/statm", static_cast<int>(slot_->runner.load()));
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  int found = std::fscanf(file, "%*u %llu", &pages);
  std::fclose(file);
  return found == 1 ? pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace kiln::gates
