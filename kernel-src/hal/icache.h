#pragma once
// What CPUs fetch as instructions.

#include <stdint.h>

extern "C" {

/// Every CPU that executes at [address, address + bytes) from now on executes what has been written
/// there, by whatever mapping, before the call. The range is mapped, `bytes` is not 0. Does nothing
/// where instruction caches follow stores by themselves (x86-64); cleans and invalidates where they
/// do not (AArch64). Never waits; any context but NMI.
void hal_icache_sync(uint64_t address, uint64_t bytes);
}
