#pragma once
// The machine's console, and the end of the world.

#include <stddef.h>

extern "C" {

/// Writes bytes to the console. Never waits; any context.
void hal_console_write(const char* bytes, size_t size);

/// Stops the machine with a reason: the kernel has found itself broken. Never for bad input.
[[noreturn]] void hal_panic(const char* reason);
}
