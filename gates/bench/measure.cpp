#include "gates/bench/measure.h"

#include <algorithm>
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

#include "gates/worker/packing.h"

namespace kiln::gates {

template <> struct Packed<bench::Figure> {
  static constexpr std::tuple fields{&bench::Figure::name, &bench::Figure::value,
                                     &bench::Figure::unit};
};

} // namespace kiln::gates

namespace kiln::gates::bench {

namespace {

constexpr unsigned kBatches = 7;

void write_figures(int out, const std::vector<Figure>& figures) {
  Packer packer;
  packer.put(figures);
  const std::vector<uint8_t>& bytes = packer.bytes();
  // Less than a pipe holds: one write takes all.
  if (write(out, bytes.data(), bytes.size()) < 0) _exit(1);
}

std::vector<Figure> read_figures(int in) {
  std::vector<uint8_t> bytes(65536);
  size_t size = 0;
  while (size < bytes.size()) {
    ssize_t n = read(in, bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    size += static_cast<size_t>(n);
  }
  bytes.resize(size);
  return Unpacker(bytes).get<std::vector<Figure>>();
}

} // namespace

std::vector<Figure> in_child(const std::function<std::vector<Figure>()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    write_figures(ends[1], measure());
    _exit(0);
  }
  close(ends[1]);
  std::vector<Figure> figures = read_figures(ends[0]);
  close(ends[0]);
  while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return figures;
}

double median_ns(uint64_t count, const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> batches;
  call();
  for (unsigned batch = 0; batch < kBatches; ++batch) {
    auto begin = Clock::now();
    for (uint64_t i = 0; i < count; ++i)
      call();
    auto spent = std::chrono::duration<double, std::nano>(Clock::now() - begin);
    batches.push_back(spent.count() / static_cast<double>(count));
  }
  std::nth_element(batches.begin(), batches.begin() + kBatches / 2, batches.end());
  return batches[kBatches / 2];
}

} // namespace kiln::gates::bench
