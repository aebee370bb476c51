#pragma once
// The log ring: fixed records in a ring that writers of every context fill without a lock and
// without waiting, NMI included. Readers get every record whole and in order, and the number of
// those that they missed; reading takes nothing away, so there may be any number of readers.
//
// How it works. Records are numbered; number n lies in slot n % slots. Each slot has a state word:
//
//   2 * n + 1   record n is being written
//   2 * n + 2   record n is whole
//
// A writer draws a number, claims the slot by moving its state up to "n is being written" and
// publishes it by "n is whole". A writer that finds an older record still being written there (its
// writer was interrupted, a whole ring ago) leaves it alone and gives its own record up: that is
// marked in the slot, and readers count it as lost. A reader copies the record between two looks at
// the state, as with a sequence lock; the contents are words that are accessed atomically.

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace clay {

enum class LogLevel : uint8_t { kError, kWarning, kInfo, kDebug };

/// One record as writers and readers hold it.
struct LogRecord {
  static constexpr size_t kMostText = 104;

  uint64_t time_ns = 0;
  LogLevel level = LogLevel::kInfo;
  uint8_t cpu = 0;
  uint8_t context = 0; ///< HalContext's numbering
  uint8_t length = 0;  ///< characters in `text`
  uint32_t reserved = 0;
  char text[kMostText] = {}; ///< not terminated
};
static_assert(sizeof(LogRecord) % sizeof(uint64_t) == 0);

class LogRing {
 public:
  LogRing(const LogRing&) = delete;
  LogRing& operator=(const LogRing&) = delete;

  /// Records that it holds.
  uint64_t slots() const { return slots_; }

  /// The record's number; it may have been given up (see above). Any context.
  uint64_t write(const LogRecord& record);

  enum class Read : uint8_t {
    kRecord, ///< *record is record `number`
    kNotYet, ///< it is not written, or not whole yet
    kLost,   ///< it is gone, or was given up
  };
  /// Looks at record `number`. Any context.
  Read read(uint64_t number, LogRecord* record) const;

  /// The number that the next record gets.
  uint64_t next_number() const { return next_.load(std::memory_order_relaxed); }

 protected:
  static constexpr size_t kWords = sizeof(LogRecord) / sizeof(uint64_t);

  struct Slot {
    std::atomic<uint64_t> state{0};
    std::atomic<uint64_t> given_up{0}; ///< 1 + the last number given up here; 0 = none
    std::atomic<uint64_t> words[kWords] = {};
  };

  constexpr LogRing(Slot* slot, uint64_t slots) : slot_(slot), slots_(slots) {}

 private:
  static bool claim(Slot& slot, uint64_t number);
  static void give_up(Slot& slot, uint64_t number);

  Slot* const slot_;
  const uint64_t slots_;
  std::atomic<uint64_t> next_{0};
};

/// A ring that holds `count` records.
template <uint64_t count> class LogRingOf : public LogRing {
  // With one slot, "n + 1 is being written" would be the state of n's own slot next to "n is
  // whole", and the mark of n given up the one next to that of n + 1. Two keep the states of a slot
  // apart.
  static_assert(count >= 2);

 public:
  constexpr LogRingOf() : LogRing(storage_, count) {}

 private:
  Slot storage_[count];
};

/// A reader's place in a ring.
class LogReader {
 public:
  /// Begins with the oldest record that is still there.
  explicit LogReader(const LogRing& ring);
  /// Begins with record `first`.
  constexpr LogReader(const LogRing& ring, uint64_t first) : ring_(ring), position_(first) {}

  /// The next record, if there is one. *lost: how many were missed just before it (or, without a
  /// record, at the end). Any context.
  bool next(LogRecord* record, uint64_t* lost);

  /// Number of the record that next() looks at next.
  uint64_t position() const { return position_; }

 private:
  const LogRing& ring_;
  uint64_t position_;
};

} // namespace clay
