#pragma once
// What a worker must not do, enforced by the host's kernel: no network, no new program, no tracing
// of others, no files written, bounded output, no core dump, and no life after the supervisor's.
//
// A fence that the host refuses (in some containers) is left out and named: `doctor` prints the
// list. Memory is not fenced here: address space limits do not go with AddressSanitizer, so the
// supervisor watches the resident size.

#include <string>
#include <vector>

namespace kiln::gates {

struct Fence {
  std::string name; ///< "no network", ...
  bool up = false;
  std::string trouble; ///< why not
};

/// In the supervisor, once, before the first worker: what all workers need.
void prepare_fences(bool may_write_files);

/// In a worker, first thing. Fences stay up for good.
std::vector<Fence> put_up_fences();

} // namespace kiln::gates
