#pragma once
// Where operator new takes memory from. While an input runs, from the machine's model heap: worlds,
// models and whatever else a target makes live for one input and go with it, abandoned or not.
// Outside, and inside a HostMemory scope, from the host's heap.

namespace kiln::sim {

/// What the process says on standard error before it ends for want of such memory.
inline constexpr char kOutOfModelMemory[] = "kiln: out of memory for models and worlds\n";

/// What is allocated in this scope outlives the input (recorders, reports).
class HostMemory {
 public:
  HostMemory();
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
};

} // namespace kiln::sim
