#include "kernel-src/log/console.h"

#include <atomic>

#include "kernel-src/hal/console.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/format.h"
#include "kernel-src/log/log.h"
#include "kernel-src/sync/irq_spin_lock.h"
#include "kernel-src/sync/permanent.h"
#include "kernel-src/task/soft_irq.h"

namespace clay {
namespace {

/// Records that one soft IRQ brings out at most; then others have their turn.
constexpr unsigned kMostPerRun = 8;
constexpr size_t kMostLine = 160;

constinit LockClass console_class{"console"};
/// Guards the reader, and keeps lines whole and in order. Held for one record at a time.
constinit Permanent<IrqSpinLock> lock{console_class};
constinit Permanent<LogReader> reader{log_ring, uint64_t{0}};
constinit std::atomic<LogLevel> least_urgent{LogLevel::kWarning};
/// The reader stands before a record that is still being written: urgent ones may lie behind it, so
/// whoever completes a record, urgent or not, raises the soft IRQ.
constinit std::atomic<bool> stopped_short{false};

void write_lost(uint64_t lost) {
  char line[kMostLine];
  const size_t length =
      format(line, sizeof line, "(%llu log records lost)\n", static_cast<unsigned long long>(lost));
  hal_console_write(line, length);
}

/// Brings the next record with a number below `end` out; false when there was none.
bool write_next(uint64_t end) {
  IrqSpinGuard guard(*lock);
  if (reader->position() >= end) {
    return false;
  }
  LogRecord record;
  uint64_t lost = 0;
  const bool got = reader->next(&record, &lost);
  if (lost != 0) {
    write_lost(lost);
  }
  if (got && record.level <= least_urgent.load(std::memory_order_relaxed)) {
    char line[kMostLine];
    hal_console_write(line, format_record(record, line, sizeof line));
  }
  return got;
}

bool is_behind() {
  IrqSpinGuard guard(*lock);
  return reader->position() < log_ring.next_number();
}

/// Says whether the reader stopped short, and looks once more; false when there was still none.
bool stop_or_write_next() {
  stopped_short.store(is_behind(), std::memory_order_relaxed);
  // Pairs with notify_console(): the writer sees the flag, or this look its record.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return write_next(UINT64_MAX);
}

void run_soft_irq(void*) {
  for (unsigned runs = 0; runs < kMostPerRun; ++runs) {
    if (!write_next(UINT64_MAX) && !stop_or_write_next()) {
      return;
    }
  }
  raise_soft_irq(SoftIrq::kConsole);
}

} // namespace

void boot_console() {
  static constexpr SoftIrqHandler handler{run_soft_irq, nullptr};
  const Result<> connected = connect_soft_irq(SoftIrq::kConsole, handler);
  CLAY_ASSERT(connected.ok());
}

void set_console_level(LogLevel level) { least_urgent.store(level, std::memory_order_relaxed); }

void notify_console(LogLevel level) {
  std::atomic_thread_fence(std::memory_order_seq_cst); // see stop_or_write_next()
  const bool urgent = level <= least_urgent.load(std::memory_order_relaxed);
  if ((urgent || stopped_short.load(std::memory_order_relaxed)) && hal_context() != kHalNmi) {
    raise_soft_irq(SoftIrq::kConsole);
  }
}

void flush_console() {
  // No more than there is now: others may write as fast as this reads.
  const uint64_t end = log_ring.next_number();
  while (write_next(end)) {
  }
}

size_t format_record(const LogRecord& record, char* out, size_t size) {
  const auto us = static_cast<unsigned long long>(record.time_ns / 1000);
  const size_t length =
      format(out, size, "[%5llu.%06llu] cpu%u %s: %.*s\n", us / 1'000'000, us % 1'000'000,
             record.cpu, log_level_name(record.level), record.length, record.text);
  return length < size ? length : size - 1;
}

} // namespace clay
