#pragma once
// Programs of lock operations for the tests of sim/lock_order.h, and their interpreter: it keeps
// held lists and contexts as the machine does, and judges by itself what the machine judges by
// itself (release, destruction, sleeping locks).
//
// A program is words with spaces between. A lock is a letter (its class) and perhaps a digit (which
// one of the class): A, X1, X2. One program runs on one CPU; tasks follow each other.
//
//   xA wA     take exclusively: spin lock, reader-writer spin lock
//   rA sA     take for reading: passing waiting writers, queueing behind them (spin locks)
//   mA WA RA  take a mutex; a reader-writer mutex to write, to read
//   tA uA     a trylock that succeeds, exclusive and recursive reader
//   nA        a spin lock, as the next one of a documented order in its class
//   LA        take in the way of the matrix's column
//   -A        release        !A   destroy (or initialise again)
//   irq{ }irq      an interrupt comes here      soft{ }soft   a soft IRQ is run here
//   off on         interrupts off, on           soft-off soft-on   the same of soft IRQs

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lock_order.h"

namespace kiln::sim {

class LockProgram {
 public:
  LockProgram();

  /// Runs to the end or to the first broken rule, which it returns. State stays: further calls go
  /// on with what was learned, as the next task would.
  std::optional<Rule> run(std::string_view text);
  /// The same for a task of the matrix: 'L' and 'U' stand for the column's operation.
  static std::string in_column(std::string_view text, char take);

  const LockVerdict& verdict() const { return verdict_; }
  LockOrder& order() { return *order_; }
  std::string headline() const;
  std::string other_label() const;

 private:
  struct Level {
    LockContext context;
    std::vector<Held> held;
  };

  std::optional<Rule> word(std::string_view word);
  bool change_context(std::string_view word);
  std::optional<Rule> turn_on(std::string_view word);
  std::optional<Rule> take(char how, std::string_view lock);
  std::optional<Rule> release(std::string_view lock);
  bool holds(std::string_view lock) const;
  bool may_sleep() const;

  std::vector<LockOrder> storage_;
  LockOrder* order_;
  LockVerdict verdict_{};
  std::vector<Level> levels_;
  uintptr_t site_ = 0; ///< words so far
};

} // namespace kiln::sim
