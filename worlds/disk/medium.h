#pragma once
// What a disk keeps without power: sectors, on pages that copies share until one of them writes.
// A copy costs a table of pointers. Disks of any size: what was never written is not there, and
// reads as zeros.
//
//   Medium before = medium;               // cheap
//   medium.write(7, bytes);
//   medium.hash() != before.hash()
//
// The hash is kept with every write. It is that of the *changes* since the medium was made and
// preloaded: equal for two media that come from the same one and hold the same; nothing else can be
// compared by it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::worlds {

class Medium {
 public:
  /// All zeros.
  Medium(uint64_t sectors, uint32_t sector_bytes);
  Medium(const Medium& other);
  Medium(Medium&& other) noexcept;
  Medium& operator=(const Medium& other);
  Medium& operator=(Medium&& other) noexcept;
  ~Medium();

  uint64_t sectors() const { return sectors_; }
  uint32_t sector_bytes() const { return sector_bytes_; }

  // --- Everything below: the sectors exist; spans are whole sectors

  void read(uint64_t sector, std::span<uint8_t> out) const;
  void write(uint64_t sector, std::span<const uint8_t> bytes);
  /// One sector, whose bytes are the disk's own: not looked at by the sanitizer.
  void land(uint64_t sector, const uint8_t* bytes);
  /// One sector's bytes where they lie; good until the next write.
  const uint8_t* at(uint64_t sector) const;

  /// As `write`, but the hash stays: what a disk begins with.
  void preload(uint64_t sector, std::span<const uint8_t> bytes);
  /// The same without a copy: `bytes` stay where they are, unchanged, longer than this medium and
  /// all copies of it. From sector 0.
  void lend(std::span<const uint8_t> bytes);

  // --- Sectors that cannot be read

  bool readable(uint64_t sector) const { return bad_.empty() || !is_bad(sector); }
  bool any_spoilt() const { return !bad_.empty(); }
  void spoil(uint64_t sector); ///< until it is written

  /// See above.
  uint64_t hash() const { return hash_; }
  /// What `hash` changes by when a sector goes from one contents to another, by XOR.
  static uint64_t hash_of(uint64_t sector, const uint8_t* bytes, uint32_t sector_bytes);
  static uint64_t hash_of_spoilt(uint64_t sector);
  uint64_t hash_at(uint64_t sector) const; ///< of what it holds

  /// Whether both hold the same in every sector, looked at byte by byte.
  bool same_as(const Medium& other) const;
  /// Another size, perhaps other sectors: what lies in both keeps its bytes (their place in the row
  /// of all bytes). What is new is zeros.
  Medium resized(uint64_t sectors, uint32_t sector_bytes) const;

 private:
  struct Page;
  struct Slot { ///< bytes null: zeros; page null: lent
    const uint8_t* bytes = nullptr;
    Page* page = nullptr;
  };
  struct Far { ///< of a large disk
    uint64_t index;
    Slot slot;
  };

  const Slot* find(uint64_t index) const;
  Slot& make(uint64_t index);
  Slot& writable(uint64_t index);
  bool is_bad(uint64_t sector) const;
  void heal(uint64_t sector);
  uint8_t* place_for(uint64_t sector, const uint8_t* bytes);
  uint64_t contents_hash_at(uint64_t sector) const;
  void take(const Slot& slot);
  void drop(const Slot& slot);
  void drop_all();

  uint64_t sectors_;
  uint32_t sector_bytes_;
  uint32_t page_sectors_;
  unsigned page_shift_; ///< page_sectors_ is a power of two
  uint64_t hash_ = 0;
  std::vector<Slot> near_; ///< by page, if there are few
  std::vector<Far> far_;   ///< else: those that exist, sorted
  std::vector<uint64_t> bad_;
};

} // namespace kiln::worlds
