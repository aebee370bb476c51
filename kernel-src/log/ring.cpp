#include "kernel-src/log/ring.h"

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/checked.h"

namespace clay {
namespace {

constexpr uint64_t writing(uint64_t number) { return 2 * number + 1; }
constexpr uint64_t whole(uint64_t number) { return 2 * number + 2; }
constexpr bool is_whole(uint64_t state) { return state % 2 == 0; }

} // namespace

/// True when the slot is the writer's; false when it must leave it alone.
bool LogRing::claim(Slot& slot, uint64_t number) {
  uint64_t state = slot.state.load(std::memory_order_relaxed);
  do {
    if (!is_whole(state) || state > writing(number)) {
      return false; // an older record is being written, or a later one is there already
    }
    // Acquire: the words of the record that was there are ours to overwrite from here on.
  } while (!slot.state.compare_exchange_weak(state, writing(number), std::memory_order_acquire,
                                             std::memory_order_relaxed));
  return true;
}

void LogRing::give_up(Slot& slot, uint64_t number) {
  uint64_t last = slot.given_up.load(std::memory_order_relaxed);
  while (last < number + 1 &&
         !slot.given_up.compare_exchange_weak(last, number + 1, std::memory_order_relaxed,
                                              std::memory_order_relaxed)) {
  }
}

uint64_t LogRing::write(const LogRecord& record) {
  // Relaxed: the number orders nothing, the slot's state does.
  const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  Slot& slot = slot_[number % slots_];
  if (!claim(slot, number)) {
    give_up(slot, number);
    return number;
  }
  uint64_t words[kWords];
  memcpy(words, &record, sizeof record);
  // Release fence, with the readers' acquire fence: whoever sees a new word sees the state above.
  std::atomic_thread_fence(std::memory_order_release);
  for (size_t i = 0; i < kWords; ++i) {
    slot.words[i].store(words[i], std::memory_order_relaxed);
  }
  // Release pairs with the readers' first look: "whole" promises all words.
  slot.state.store(whole(number), std::memory_order_release);
  return number;
}

LogRing::Read LogRing::read(uint64_t number, LogRecord* record) const {
  const Slot& slot = slot_[number % slots_];
  const uint64_t state = slot.state.load(std::memory_order_acquire);
  if (state < whole(number)) {
    const bool given_up = slot.given_up.load(std::memory_order_relaxed) > number;
    return given_up ? Read::kLost : Read::kNotYet;
  }
  if (state > whole(number)) {
    return Read::kLost;
  }
  uint64_t words[kWords];
  for (size_t i = 0; i < kWords; ++i) {
    words[i] = slot.words[i].load(std::memory_order_relaxed);
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  if (slot.state.load(std::memory_order_relaxed) != state) {
    return Read::kLost;
  }
  memcpy(record, words, sizeof *record);
  return Read::kRecord;
}

LogReader::LogReader(const LogRing& ring)
    : ring_(ring), position_(saturating_sub(ring.next_number(), ring.slots())) {}

bool LogReader::next(LogRecord* record, uint64_t* lost) {
  *lost = 0;
  // What lies more than a ring behind is gone; no need to look at each.
  const uint64_t oldest = saturating_sub(ring_.next_number(), ring_.slots());
  if (position_ < oldest) {
    *lost = oldest - position_;
    position_ = oldest;
  }
  for (uint64_t looks = 0; looks < ring_.slots(); ++looks) {
    switch (ring_.read(position_, record)) {
    case LogRing::Read::kRecord:
      ++position_;
      return true;
    case LogRing::Read::kLost:
      ++position_;
      ++*lost;
      break;
    case LogRing::Read::kNotYet:
      return false;
    }
  }
  return false;
}

} // namespace clay
