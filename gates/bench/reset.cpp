#include <cstring>

#include "gates/bench/figures.h"
#include "gates/worker/fault_handlers.h"
#include "sim/engine.h"
#include "sim/hal.h"

namespace kiln::gates::bench {

namespace {

size_t bytes_to_touch = 0;

// The body of a run: takes memory from the kernel's heap, writes it all, gives it back.
void touch(sim::Run&) {
  if (bytes_to_touch == 0) return;
  void* block = sim::hal::allocate(bytes_to_touch, 16, true, 0);
  std::memset(block, 1, bytes_to_touch);
  sim::hal::release(block, 0);
}

double run_ns(const sim::Target& target, size_t bytes) {
  bytes_to_touch = bytes;
  return median_ns(5'000, [&] {
    sim::Tape tape{std::span<const uint8_t>()};
    sim::execute(target, tape, {});
  });
}

} // namespace

std::vector<Figure> reset_figures() {
  std::string error;
  WorkerSlot* slot = map_slot();
  if (slot == nullptr || !sim::boot(&error)) return {};
  install_fault_handlers(slot->note);
  sim::watch_first_writes();
  // Known in this process only, which ends with the measurement.
  static const sim::Target target{
      {.name = "bench/touch", .purpose = "Touches memory.", .run = touch}};
  std::vector<Figure> figures;
  for (size_t bytes : {size_t{0}, size_t{4} << 10, size_t{16} << 10, size_t{256} << 10}) {
    figures.push_back({"run and reset, " + std::to_string(bytes >> 10) + " KiB written",
                       run_ns(target, bytes) / 1000, "us"});
  }
  return figures;
}

} // namespace kiln::gates::bench
