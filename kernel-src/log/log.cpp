#include "kernel-src/log/log.h"

#include <atomic>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/hal/time.h"
#include "kernel-src/log/console.h"

namespace clay {

constinit LogRingOf<64> log_ring;

namespace {

constinit std::atomic<LogLevel> least_urgent{LogLevel::kInfo};

uint8_t fill_text(char* out, const char* text, va_list args) {
  // One more for the NUL that vformat writes and the record does not keep.
  char whole[LogRecord::kMostText + 1];
  const size_t length = vformat(whole, sizeof whole, text, args);
  const size_t kept = length < LogRecord::kMostText ? length : LogRecord::kMostText;
  memcpy(out, whole, kept);
  return static_cast<uint8_t>(kept);
}

/// With interrupts off: cpu and context belong together, and a slot is not held for long.
void stamp_and_write(LogRecord& record) {
  const bool were_on = hal_irq_save();
  record.time_ns = hal_clock_ns();
  record.cpu = static_cast<uint8_t>(hal_cpu_id());
  record.context = hal_context();
  static_cast<void>(log_ring.write(record));
  hal_irq_restore(were_on);
}

} // namespace

// Relaxed: a level is a number by itself.
void set_log_level(LogLevel level) { least_urgent.store(level, std::memory_order_relaxed); }

void vlog(LogLevel level, const char* text, va_list args) {
  if (level > least_urgent.load(std::memory_order_relaxed)) {
    return;
  }
  LogRecord record;
  record.level = level;
  record.length = fill_text(record.text, text, args);
  stamp_and_write(record);
  notify_console(level);
}

void log(LogLevel level, const char* text, ...) {
  va_list args;
  va_start(args, text);
  vlog(level, text, args);
  va_end(args);
}

#define CLAY_LOG_FUNCTION(name, level)                                                             \
  void name(const char* text, ...) {                                                               \
    va_list args;                                                                                  \
    va_start(args, text);                                                                          \
    vlog(level, text, args);                                                                       \
    va_end(args);                                                                                  \
  }
CLAY_LOG_FUNCTION(log_error, LogLevel::kError)
CLAY_LOG_FUNCTION(log_warning, LogLevel::kWarning)
CLAY_LOG_FUNCTION(log_info, LogLevel::kInfo)
CLAY_LOG_FUNCTION(log_debug, LogLevel::kDebug)
#undef CLAY_LOG_FUNCTION

const char* log_level_name(LogLevel level) {
  static constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
  return kNames[static_cast<unsigned>(level) & 3];
}

} // namespace clay
