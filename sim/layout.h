#pragma once
// Where the machine's memory lies on the host: at constants, so that no address ever depends on the
// host. All regions are below AddressSanitizer's own and start on a 32 KiB border, so that their
// shadows start on a page.

#include <cstddef>
#include <cstdint>

#include "sim/sanitizer.h"

namespace kiln::sim {

/// The kernel's heap and pages.
inline constexpr uintptr_t kArenaBase = 0x2000'0000'0000;
inline constexpr size_t kArenaBytes = size_t{256} << 20;

/// Host-side objects that live for one input: models, worlds, whatever a target allocates.
inline constexpr uintptr_t kModelBase = 0x2010'0000'0000;
inline constexpr size_t kModelBytes = size_t{256} << 20;

/// Fiber stacks, one slot a task; the lowest page of a slot is a guard.
inline constexpr uintptr_t kStackBase = 0x2020'0000'0000;
inline constexpr size_t kStackSlotBytes = size_t{256} << 10;
inline constexpr size_t kStackGuardBytes = 4096;
inline constexpr unsigned kMaxActors = 72; ///< 64 tasks and an idle one for each CPU

/// Stack that a kernel task may use. Frames are larger under AddressSanitizer.
inline constexpr size_t kStackBudget = (kAsan ? size_t{64} : size_t{16}) << 10;

/// Maps all regions; false with a sentence in *error.
bool map_machine_memory(const char** error);

} // namespace kiln::sim
