#pragma once
// The promises that a disk has broken on purpose, by sector: what an oracle may not hold against a
// kernel. An oracle relaxes for a sector that is in here, and for no other.
//
// A sector is in here from the moment that its contents are not what the disk has said they are,
// until a later write of it has come to the medium. A promise that was not kept but has hurt nobody
// (a flush that lied before the power stayed on) is not in here: the disk knows, and enters the
// sectors at the cut that loses them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "worlds/disk/faults.h"

namespace kiln::worlds {

class Ledger {
 public:
  struct Entry {
    uint64_t sector;
    FaultKind how;
    uint64_t write; ///< a later write than this one makes it good, once it is on the medium
  };

  /// Whether the disk has kept its word up to now, in everything.
  bool clean() const { return entries_.empty() && !lied_to_reader_; }
  bool broken(uint64_t sector) const { return !entries_.empty() && find(sector) != nullptr; }
  bool broken_in(uint64_t sector, uint64_t sectors) const;
  /// kNone when the word was kept.
  FaultKind how(uint64_t sector) const;
  /// Whether a read has been answered with what is not there. Nothing is known then of what the
  /// kernel made of it.
  bool lied_to_reader() const { return lied_to_reader_; }
  std::span<const Entry> entries() const { return entries_; }

  // --- For the disk
  void enter(const Entry& entry);
  /// A write of the sector has come to the medium.
  void heal(uint64_t sector, uint64_t write) {
    if (!entries_.empty()) strike(sector, write);
  }
  void enter_lie_to_reader() { lied_to_reader_ = true; }

 private:
  const Entry* find(uint64_t sector) const;
  void strike(uint64_t sector, uint64_t write);

  std::vector<Entry> entries_; ///< sorted by sector
  bool lied_to_reader_ = false;
};

} // namespace kiln::worlds
