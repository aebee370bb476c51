#pragma once
// Memory functions that the compiler may call by itself. They belong to the HAL.

#include <stddef.h>

extern "C" {
void* memcpy(void* __restrict to, const void* __restrict from, size_t size) noexcept;
void* memmove(void* to, const void* from, size_t size) noexcept;
void* memset(void* to, int byte, size_t size) noexcept;
int memcmp(const void* a, const void* b, size_t size) noexcept;
size_t strlen(const char* text) noexcept;
}
