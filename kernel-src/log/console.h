#pragma once
// From the log ring to the console: a reader that runs in a soft IRQ, a few records at a time.

#include <stddef.h>

#include "kernel-src/log/ring.h"

namespace clay {

/// Connects the soft IRQ. Once, at boot.
void boot_console();

/// A record of this level has been written: has it brought to the console soon. Any context.
void notify_console(LogLevel level);

/// Brings everything that is in the log now to the console. Any context but NMI.
void flush_console();

/// A record as a line of text, with its newline; the length, at most `size`.
size_t format_record(const LogRecord& record, char* out, size_t size);

} // namespace clay
