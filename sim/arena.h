#pragma once
// The kernel's heap: a bump allocator with size classes, red zones and a quarantine.
//
// A chunk is [header 32][padding][back offset 8][the block][right red zone >= 32]. Under
// AddressSanitizer everything but live blocks is poisoned; in every flavour the first bytes of the
// right red zone are checked when the block is freed. A freed block waits in the quarantine until
// kQuarantine others have been freed, then goes to its class's free list. Fresh memory has the
// run's fill. The layout is the same in every flavour, and the state is plain data: a reset copies
// it.

#include <cstddef>
#include <cstdint>

namespace kiln::sim {

inline constexpr size_t kLeftZone = 48;
inline constexpr size_t kRightZone = 32;
inline constexpr unsigned kQuarantine = 64;
inline constexpr unsigned kArenaClasses = 92; ///< four a doubling, from 64 bytes

struct BlockHeader {
  uint64_t site;   ///< return address of who asked
  uint32_t size;   ///< bytes asked for
  uint32_t number; ///< 1 for the first allocation ever
  uint32_t next;   ///< free list: the next chunk, in 16-byte units from base + 1; 0 ends
  uint16_t state;  ///< kBlockLive or kBlockFree
  uint8_t order;   ///< size class
  uint8_t reserved;
  uint64_t user;       ///< address of the block
  uint64_t freed_site; ///< return address of who gave it back
};
static_assert(sizeof(BlockHeader) <= kLeftZone - 8);

inline constexpr uint16_t kBlockLive = 0x4C56;
inline constexpr uint16_t kBlockFree = 0x4652;

enum class FreeError : uint8_t { kNone, kNotABlock, kTwice, kOverrun };

struct Arena {
  uintptr_t base;
  uintptr_t end;
  uintptr_t top; ///< first byte never handed out
  uint64_t allocations;
  uint64_t live_blocks;
  uint64_t live_bytes;
  uint8_t fill;
  uint16_t quarantine_at;
  uint32_t free_list[kArenaClasses];
  uint32_t quarantine[kQuarantine];

  void init(uintptr_t at, size_t bytes);
  /// Null when the arena is full. align: a power of two, at most 4096.
  void* allocate(size_t size, size_t align, uint64_t site);
  FreeError release(void* block, uint64_t site);
  /// The live block with the smallest number above `since`; null when there is none.
  const BlockHeader* first_live(uint32_t since) const;
  /// The chunk that holds an address, live or freed; null when there is none.
  const BlockHeader* chunk_around(uintptr_t address) const;
  /// A copy of a header, which is itself poisoned; zeros for null.
  static BlockHeader header_of(const BlockHeader* chunk);

 private:
  BlockHeader* carve(unsigned order);
};

} // namespace kiln::sim
