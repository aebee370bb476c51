#include "gates/worker/fences.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gates/worker/call_filter.h"

namespace kiln::gates {

namespace {

// What a worker may write to its words file (standard output and error).
constexpr rlim_t kMostOutputBytes = rlim_t{64} << 20;

CallFilter filter;

Fence fence(const char* name, bool up, int error) {
  return {name, up, up ? "" : std::strerror(error)};
}

Fence fence_life() {
  bool up = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
  return fence("ends with the supervisor", up, errno);
}

Fence fence_limits() {
  rlimit none{0, 0};
  rlimit output{kMostOutputBytes, kMostOutputBytes};
  std::signal(SIGXFSZ, SIG_IGN);
  bool up = setrlimit(RLIMIT_CORE, &none) == 0 && setrlimit(RLIMIT_FSIZE, &output) == 0;
  return fence("no core dump, bounded output", up, errno);
}

// A network namespace of its own has no way out. Without the right to make one, it takes a user
// namespace too.
Fence fence_network() {
  bool up = unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
  return fence("a network namespace of its own", up, errno);
}

Fence fence_calls() {
  if (filter.program.empty()) return {"forbidden system calls", false, filter.trouble};
  sock_fprog program{static_cast<unsigned short>(filter.program.size()), filter.program.data()};
  bool up = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  return fence("no sockets, programs, tracing, files written", up, errno);
}

} // namespace

void prepare_fences(bool may_write_files) { filter = make_call_filter(may_write_files); }

std::vector<Fence> put_up_fences() {
  return {fence_life(), fence_limits(), fence_network(), fence_calls()};
}

} // namespace kiln::gates
