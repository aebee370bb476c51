#pragma once
// A vector whose memory is the host's even while the machine runs: for what must outlive a reset
// (records of a run), whatever operator new does during a run.

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace kiln::sim {

template <typename T> struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <typename U> HostAllocator(const HostAllocator<U>&) {}
  T* allocate(size_t count) {
    void* memory = std::malloc(count * sizeof(T));
    if (memory == nullptr) {
      std::abort();
    }
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }
  bool operator==(const HostAllocator&) const { return true; }
};

template <typename T> using HostVector = std::vector<T, HostAllocator<T>>;

} // namespace kiln::sim
