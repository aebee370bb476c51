#pragma once
// What a disk does wrong, and when: the policy that a disk asks at every command.
//
//   worlds::DiskFaults faults;
//   faults.add({.kind = FaultKind::kError, .ops = kOnWrite, .skip = 3});   // the 4th write fails
//   faults.draw(run.tape, menu);                                         // or from the tape
//   disk.set_faults(&faults);
//
// A fault is a rule (from which command on, where, how often) or the luck of one command. Faults
// that break no promise, such as an error that is answered, are what a kernel must live with; those
// from kLyingFlush on are lies, and the ledger knows which sectors they concern.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/tape.h"
#include "worlds/disk/command.h"

namespace kiln::worlds {

enum class FaultKind : uint8_t {
  kNone,
  // --- Honest: the answer, or its want, says that something is wrong
  kError,       ///< an error, and nothing was done
  kErrorPartly, ///< an error after some of the sectors, from the front, were transferred
  kErrorDone,   ///< an error though all was done
  kErrorTorn,   ///< an error; any of the sectors were written, and one of them is garbage
  kUnreadable,  ///< of a read: an error, and the sector stays unreadable until it is written
  kShort,       ///< "done", but says that it moved fewer sectors than it was asked for
  kNever,       ///< no answer; nothing was done, or all, as the port's tape says
  kTwice,       ///< answered, and answered again
  kLate,        ///< answered after any time-out
  kGone,        ///< the disk is removed while the command is under way
  // --- Lies
  kLyingFlush,       ///< "done", but the cache stays as it was
  kLyingDurable,     ///< FUA: "done", but it is in the cache only
  kDropped,          ///< a write: "done", but nothing was written
  kMisdirectedWrite, ///< it went elsewhere
  kMisdirectedRead,  ///< it came from elsewhere
  kStaleRead,        ///< a sector's contents before the last write
  kBitRot,           ///< one bit of one sector has changed on the medium
  kZeroed,           ///< one sector of the medium is zeros
  kSwapped,          ///< two sectors have changed places
  kGarbageRead,      ///< a read gives noise; the medium is sound
  kCount,
};
inline constexpr FaultKind kFirstLie = FaultKind::kLyingFlush;
const char* name_of(FaultKind kind);

/// Sets of operations.
inline constexpr uint8_t kOnRead = 1 << 0;
inline constexpr uint8_t kOnWrite = 1 << 1;
inline constexpr uint8_t kOnFlush = 1 << 2;
inline constexpr uint8_t kOnDiscard = 1 << 3;
inline constexpr uint8_t kOnDurable = 1 << 4; ///< writes with FUA only
inline constexpr uint8_t kOnAny = 0x0F;
/// The operations that a kind makes sense for.
uint8_t ops_of(FaultKind kind);

struct FaultRule {
  static constexpr uint32_t kAlways = UINT32_MAX; ///< until the power cycle

  FaultKind kind = FaultKind::kError;
  uint8_t ops = kOnAny;
  uint64_t first = 0; ///< commands that touch the sectors [first, last]; a flush touches all
  uint64_t last = UINT64_MAX;
  uint32_t skip = 0;              ///< matching commands before the first that it hits
  uint32_t times = 1;             ///< how many it hits
  bool until_power_cycle = false; ///< gone after the power was off; else it goes on
};

/// What `draw` may make.
struct FaultMenu {
  uint32_t kinds = 0;       ///< set of 1 << FaultKind
  uint32_t most_rules = 2;  ///< so many, or fewer
  uint64_t sectors = 0;     ///< ranges lie in here; 0: everywhere
  uint32_t horizon = 32;    ///< skips are below
  uint32_t per_command = 0; ///< besides, so many of 65536 commands have bad luck
};
inline constexpr uint32_t fault_bit(FaultKind kind) { return 1u << static_cast<unsigned>(kind); }
/// Errors, short counts, and bad sectors: a kernel hears of each.
inline constexpr uint32_t kHonestFaults =
    fault_bit(FaultKind::kError) | fault_bit(FaultKind::kErrorPartly) |
    fault_bit(FaultKind::kErrorDone) | fault_bit(FaultKind::kErrorTorn) |
    fault_bit(FaultKind::kUnreadable) | fault_bit(FaultKind::kShort);
/// What takes a port to show: answers at the wrong time or not at all.
inline constexpr uint32_t kTimelyFaults = fault_bit(FaultKind::kNever) |
                                          fault_bit(FaultKind::kTwice) |
                                          fault_bit(FaultKind::kLate) | fault_bit(FaultKind::kGone);
inline constexpr uint32_t kLies = (fault_bit(FaultKind::kCount) - 1) & ~(fault_bit(kFirstLie) - 1);

/// What happens to one command. `detail` is a number to take everything else from: which sector,
/// which bit, how many.
struct Fate {
  FaultKind kind = FaultKind::kNone;
  uint32_t detail = 0;
};

class DiskFaults {
 public:
  void add(const FaultRule& rule) { rules_.push_back({rule, 0}); }
  /// Rules from the swarm lane (which kinds there are in this input) and the fault lane. The empty
  /// tape has none. `tape` must outlive this if the menu has luck per command.
  void draw(sim::Tape& tape, const FaultMenu& menu);
  /// No faults from here on: for the last look of a judge.
  void stop() { stopped_ = true; }
  void go_on() { stopped_ = false; }

  // --- For the disk
  Fate next(const DiskCommand& command);
  void power_cycle();

  std::span<const uint32_t> hits() const { return hits_; } ///< by kind
  bool any_lie() const;
  /// Whether some rule or luck can be of that kind.
  bool may(FaultKind kind) const;

 private:
  struct Active {
    FaultRule rule;
    uint32_t seen;
  };
  FaultKind lucky(const DiskCommand& command);

  std::vector<Active> rules_;
  sim::Tape* tape_ = nullptr; ///< of the luck of single commands
  uint32_t luck_ = 0;
  uint32_t kinds_ = 0;
  uint32_t details_ = 0;
  bool stopped_ = false;
  uint32_t hits_[static_cast<size_t>(FaultKind::kCount)] = {};
};

} // namespace kiln::worlds
