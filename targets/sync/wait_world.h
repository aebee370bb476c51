#pragma once
// For sync/waits: the things to wait for, and a model that counts what was supplied and what was
// got. Counts of supply are made before the kernel is told, counts of what was got after it has
// answered, so that got <= supplied must hold at every moment.

#include <cstdint>
#include <vector>

#include "kernel-src/sync/completion.h"
#include "kernel-src/sync/event.h"
#include "kernel-src/sync/semaphore.h"
#include "kernel-src/sync/wait_group.h"
#include "targets/sync/answer.h"
#include "targets/sync/support.h"

namespace kiln::sync {

inline constexpr unsigned kMostWaiters = 5;

/// What a task waits for, and what is supplied: one unit of it.
enum class Thing : uint8_t {
  kSemaphore,  ///< two of them
  kCompletion, ///< two of them
  kOwnEvent,   ///< the waiter's own; the second and fourth are reset by hand
  kTokens,     ///< counted beside an auto-reset event that all share
  kGate,       ///< opens once, for all: an event, and a completion that is done for all
  kGroup,      ///< a wait group with as many members as are supplied
  kKinds,
};

struct Count {
  unsigned supplied = 0;
  unsigned got = 0;
  unsigned waiting = 0;    ///< tasks in the wait
  uint64_t changed_ns = 0; ///< when one was supplied or began to wait
  unsigned signals = 0;    ///< of an auto-reset event, begun
  unsigned woken = 0;      ///< waits for it that came back with one
};

class WaitWorld {
 public:
  explicit WaitWorld(sim::Machine& machine) : machine_(machine) {}

  /// Tells the group how many of its members are to come. Before anybody waits.
  void expect_group(unsigned members);

  /// Supplies one unit; of a semaphore `units`. Any context.
  void supply(Thing thing, unsigned index, unsigned units = 1);

  /// Waits for one unit as task `task`; with a deadline it may give up (false).
  bool get(Thing thing, unsigned index, unsigned task, uint64_t deadline_ns);

  /// Waits for an answer by the device's interrupt on `cpu`, and ends what it waited on.
  void ask_device(Answer::Kind kind, unsigned cpu, bool timed);
  /// The device's part.
  void answer_all();

  /// When nobody waits any more: what was supplied and not got is still there, and no more.
  void check_left();

 private:
  bool wait_semaphore(unsigned index, uint64_t deadline_ns);
  bool wait_own_event(unsigned task, uint64_t deadline_ns);
  bool wait_tokens(uint64_t deadline_ns);
  Count& count(Thing thing, unsigned index);
  void check_nobody_left(Thing thing, const Count& count, unsigned more);
  void check_signals(const Count& count);
  void judge(Thing thing, Count& count, bool got, bool waited, uint64_t began_ns,
             uint64_t deadline_ns);

  sim::Machine& machine_;
  clay::Semaphore semaphores_[2] = {{"waits-0", 0}, {"waits-1", 1}};
  clay::Completion completions_[2] = {clay::Completion{"waits-0"}, clay::Completion{"waits-1"}};
  clay::Event own_[kMostWaiters] = {
      clay::Event{"own-0"}, clay::Event{"own-1", clay::Reset::kManual}, clay::Event{"own-2"},
      clay::Event{"own-3", clay::Reset::kManual}, clay::Event{"own-4"}};
  clay::SharedEvent token_event_{"tokens", clay::Reset::kAuto};
  clay::SharedEvent gate_{"gate"};
  clay::Completion all_done_{"all-done"};
  clay::WaitGroup group_{"group"};

  Count semaphore_counts_[2];
  Count completion_counts_[2];
  Count own_counts_[kMostWaiters];
  Count token_count_;
  Count gate_count_;
  Count group_count_;
  unsigned group_members_ = 0;
  unsigned tokens_ = 0;
  std::vector<Answer*> asked_;
};

} // namespace kiln::sync
