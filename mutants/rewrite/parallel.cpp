#include "mutants/rewrite/parallel.h"

#include <atomic>
#include <thread>
#include <vector>

namespace kiln::mutants {

void in_parallel(size_t count, unsigned jobs, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  auto loop = [&] {
    for (size_t i = next++; i < count; i = next++) {
      work(i);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i) {
    threads.emplace_back(loop);
  }
  loop();
  for (std::thread& thread : threads) {
    thread.join();
  }
}

} // namespace kiln::mutants
