#pragma once
// All that a disk can hold after the power went: every choice, for every sector with pending
// versions, between what is on the medium and each of them.
//
//   CrashStates states(disk);
//   for (uint64_t k = 0; k < states.count(); ++k)
//     if (seen.insert(states.hash(k)).second) check(Disk(shape, states.state(k)));
//
// Within one CrashStates no two numbers are the same contents. Between several of one disk (from
// snapshots taken at different times, say) equal contents have equal hashes.
//
// It is enough to look right before something lands on the medium (Disk::watch) and at the end:
// a cut at an earlier command finds a subset of what is pending then.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/tape.h"
#include "worlds/disk/command.h"
#include "worlds/disk/medium.h"
#include "worlds/disk/pending.h"

namespace kiln::worlds {

class Disk;

class CrashStates {
 public:
  /// Of the disk as it is now; what is under way counts as pending. `torn`: what may become of a
  /// sector that is being written; enumeration gives each such sector one further state.
  explicit CrashStates(const Disk& disk, TornSectors torn = TornSectors::kAtomic);
  CrashStates(CrashStates&&) noexcept = default;

  /// Sectors that have a choice, by index; and what the i-th of them may hold, newest first: the
  /// medium's own bytes come last, a torn sector (null) right before them.
  size_t sectors() const { return choices_.size(); }
  uint64_t sector(size_t i) const { return choices_[i].sector; }
  size_t options(size_t i) const { return choices_[i].options; }
  const uint8_t* bytes(size_t i, size_t option) const;
  /// Who wrote them (Disk::set_tag); null: nobody has said, or the medium's own.
  const char* tag(size_t i, size_t option) const;
  /// How many states there are; UINT64_MAX: that many or more. State 0 is everything written in
  /// full, state count() - 1 is nothing.
  uint64_t count() const { return count_; }
  uint64_t hash(uint64_t k) const;
  Medium state(uint64_t k) const;

  /// One state from the tape: often one in which few are missing or few are there. Zeros: state 0.
  Medium draw(sim::Tape::View tape) const;

 private:
  struct Option {
    const PendingWrites::Version* version; ///< null: what is on the medium
    bool torn;
    uint64_t hash; ///< what it changes of the medium's
  };
  /// A sector: options_[first] up to the next one's are what may be found there.
  struct Choice {
    uint64_t sector;
    size_t first;
    size_t options;
  };

  void consider(const PendingWrites::Version& newest);
  void add_option(const PendingWrites::Version* version, bool torn);
  uint64_t change_of(uint64_t sector, const Option& option) const;
  /// Calls visit(sector, option) for each sector as state k has it.
  template <typename F> void walk(uint64_t k, F&& visit) const;

  Medium medium_;
  PendingWrites pending_;
  TornSectors torn_;
  std::vector<Choice> choices_;
  mutable std::vector<Option> options_;
  uint64_t count_ = 1;
  mutable bool hashed_ = false;
};

} // namespace kiln::worlds
