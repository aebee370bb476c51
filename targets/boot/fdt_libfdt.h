#pragma once
// libfdt as the second opinion of boot/fdt.

#include <cstdint>
#include <span>

#include "kernel-src/boot/fdt_refusal.h"
#include "worlds/firmware/fdt_reader.h"

namespace kiln::targets {

/// A blob that Clay takes: libfdt takes it too, finds every node and property where `tree` has it,
/// agrees about cell counts and compatible texts, and finds nodes by the same paths and phandles.
void check_with_libfdt(std::span<const uint8_t> blob, const worlds::fdt::Tree& tree);

enum class Verdict { kTakes, kRefuses, kNeverComesBack };
/// What libfdt makes of a blob that Clay refuses.
Verdict ask_libfdt(std::span<const uint8_t> blob);

/// Whether this is a reason for which Clay, by rule, refuses what libfdt takes, and the blob bears
/// it out; fdt_libfdt.cpp says of each why.
bool is_stricter(std::span<const uint8_t> blob, const clay::fdt::Refused& why);

} // namespace kiln::targets
