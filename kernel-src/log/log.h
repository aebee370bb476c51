#pragma once
// The kernel's log.
//
//   log_error("disk %u: sector %llu cannot be read", disk, sector);
//
// A message becomes a record in the log ring, whatever the context; text beyond
// LogRecord::kMostText characters is cut. Those up to the console's level go to the console too, a
// little later, from a soft IRQ. The format is that of lib/format.h.

#include <stdarg.h>
#include <stdint.h>

#include "kernel-src/lib/format.h"
#include "kernel-src/log/ring.h"

namespace clay {

/// Any context.
void log(LogLevel level, const char* text, ...) CLAY_PRINTF(2, 3);
void vlog(LogLevel level, const char* text, va_list args) CLAY_PRINTF(2, 0);

void log_error(const char* text, ...) CLAY_PRINTF(1, 2);
void log_warning(const char* text, ...) CLAY_PRINTF(1, 2);
void log_info(const char* text, ...) CLAY_PRINTF(1, 2);
void log_debug(const char* text, ...) CLAY_PRINTF(1, 2);

/// Messages less urgent than `level` are dropped; everything up to kInfo is kept unless said
/// otherwise. Any context.
void set_log_level(LogLevel level);
/// Likewise for the console; up to kWarning unless said otherwise.
void set_console_level(LogLevel level);

/// For readers: LogReader reader(log_ring). Written by the functions above only.
extern LogRingOf<64> log_ring;

const char* log_level_name(LogLevel level);

} // namespace clay
