#include "gates/support/host_needs.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace kiln::gates {

namespace {

constexpr rlim_t kStackBytes = rlim_t{1} << 20;

std::string missing_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStackBytes) return "";
  rlimit wanted{kStackBytes, std::max(limit.rlim_max, kStackBytes)};
  if (setrlimit(RLIMIT_STACK, &wanted) == 0) return "";
  return fmt::format("the stack is limited to {} KiB (ulimit -s), and {} KiB are needed; start "
                     "again with a higher limit",
                     limit.rlim_cur >> 10, kStackBytes >> 10);
}

} // namespace

std::string missing_from_host() {
  if (access("/proc/self/exe", F_OK) != 0) {
    return "/proc is not there, and by it this program finds its own file and watches its workers; "
           "mount it (mount -t proc proc /proc)";
  }
  return missing_stack();
}

} // namespace kiln::gates
