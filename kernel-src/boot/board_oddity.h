#pragma once
// What a board's tree says that makes no sense, and is left out for it: counted by kind, for the
// log.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/enum_text.h"
#include "kernel-src/lib/kind_counts.h"

namespace clay {

// X(identifier, "what was left out and why")
#define CLAY_BOARD_ODDITIES(X)                                                                     \
  X(kRegShape, "a node's reg is missing or does not fit its parent's cells")                       \
  X(kRangeBeyond, "a range whose numbers or end do not fit 64 bits")                               \
  X(kRangeEmpty, "a range of no bytes")                                                            \
  X(kTextOpen, "a text without its NUL")                                                           \
  X(kMemoryFull, "a memory range beyond the limit")                                                \
  X(kReservedFull, "a reserved range beyond the limit")                                            \
  X(kCpusFull, "a CPU beyond the limit")                                                           \
  X(kBootargsCut, "a command line cut to its limit")                                               \
  X(kInitrd, "an initial RAM disk whose ends make no sense")                                       \
  X(kSerialPath, "a stdout-path that leads to no node")                                            \
  X(kSerialAddress, "a console device without an address that a CPU can reach")                    \
  X(kDeviceAddress, "a device without an address that a CPU can reach")                            \
  X(kController, "an interrupt controller whose registers are not those of its kind")              \
  X(kControllerFull, "a redistributor region or ITS beyond the limit")                             \
  X(kInterruptShape, "an interrupt or map that does not fit the cells it is made of")              \
  X(kInterruptParent, "an interrupt whose parent is no controller and no map")                     \
  X(kInterruptLost, "an interrupt that maps lead nowhere, or in a circle")                         \
  X(kInterruptForeign, "an interrupt of a controller that is not the board's")                     \
  X(kInterruptNumber, "an interrupt that its controller does not have")                            \
  X(kTimer, "a timer with fewer than four interrupts")                                             \
  X(kPsci, "a PSCI method that is neither smc nor hvc")                                            \
  X(kPcieShape, "a PCIe host whose cells or ranges are not PCI's")                                 \
  X(kPcieBuses, "a PCIe host whose bus numbers make no sense")                                     \
  X(kPcieConfig, "PCIe buses beyond their host's configuration space")                             \
  X(kPcieWindow, "a PCIe window that wraps, or that no CPU can reach")                             \
  X(kPcieFull, "a PCIe host, window or interrupt beyond the limit")                                \
  X(kVirtioFull, "a virtio device beyond the limit")

enum class Oddity : uint8_t {
#define CLAY_BOARD_ODDITY_ENUM(id, text) id,
  CLAY_BOARD_ODDITIES(CLAY_BOARD_ODDITY_ENUM)
#undef CLAY_BOARD_ODDITY_ENUM
};
#define CLAY_BOARD_ODDITY_COUNT(id, text) +1
inline constexpr size_t kOddities = 0 CLAY_BOARD_ODDITIES(CLAY_BOARD_ODDITY_COUNT);
#undef CLAY_BOARD_ODDITY_COUNT

inline constexpr const char* kOddityTexts[] = {CLAY_BOARD_ODDITIES(CLAY_TEXT_OF)};

/// In words, for the log. Never null.
inline const char* oddity_text(Oddity oddity) { return text_of(kOddityTexts, oddity); }

using Oddities = KindCounts<Oddity, kOddities>;

} // namespace clay
