#pragma once
// The system calls that a worker must not make, as a program for seccomp. Made once, in the
// supervisor: making it costs milliseconds, loading it microseconds.

#include <linux/filter.h>
#include <string>
#include <vector>

namespace kiln::gates {

struct CallFilter {
  std::vector<sock_filter> program; ///< empty when it could not be made
  std::string trouble;
};

/// may_write_files: for the coverage flavour, whose workers write profiles.
CallFilter make_call_filter(bool may_write_files);

} // namespace kiln::gates
