// Running candidates and keeping the smallest.

#include "gates/shrink/shrinker.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "gates/tape/reanchor.h"
#include "sim/prng.h"

namespace kiln::gates {
namespace {

uint64_t hash_bytes(std::span<const uint8_t> bytes) {
  uint64_t hash = bytes.size();
  for (uint8_t byte : bytes) {
    hash = sim::mix64(hash + byte + 1);
  }
  return hash;
}

} // namespace

Shrinker::Shrinker(ShrinkJudge& judge, const ShrinkBudget& budget)
    : judge_(judge), budget_(budget), started_(std::chrono::steady_clock::now()) {}

bool Shrinker::done() {
  if (end_ != ShrinkEnd::kFixpoint) return true;
  if (executions_ >= budget_.executions) {
    end_ = ShrinkEnd::kExecutions;
  } else if (std::chrono::steady_clock::now() - started_ >= budget_.time) {
    end_ = ShrinkEnd::kTime;
  }
  return end_ != ShrinkEnd::kFixpoint;
}

// Nothing when it was tried before, or cannot be run.
std::optional<Judged> Shrinker::run(const Candidate& candidate) {
  if (done()) return std::nullopt;
  const std::vector<uint8_t> tape = put_together(candidate);
  if (!tried_.insert(hash_bytes(tape)).second) return std::nullopt;
  ++executions_;
  std::optional<Judged> judged = judge_.run(tape);
  if (!judged) end_ = ShrinkEnd::kCannotRun;
  return judged;
}

// The tape as read leaves out what nobody drew; it is taken where it is the smaller one.
bool Shrinker::accept(const Candidate& candidate, Judged judged) {
  Candidate taken = candidate;
  std::vector<Number> numbers = numbers_of(taken, judged.record);
  Weight weight = weigh(taken, numbers);
  if (judged.tape) {
    Candidate read = take_apart(*judged.tape);
    std::vector<Number> read_numbers = numbers_of(read, judged.record);
    Weight read_weight = weigh(read, read_numbers);
    if (read_weight < weight) {
      taken = std::move(read);
      numbers = std::move(read_numbers);
      weight = std::move(read_weight);
    }
  }
  if (steps_ > 0 && weight >= weight_) return false;
  best_ = std::move(taken);
  numbers_ = std::move(numbers);
  weight_ = std::move(weight);
  record_ = std::move(judged.record);
  ++steps_;
  return true;
}

bool Shrinker::begin(std::span<const uint8_t> tape) {
  const Candidate whole = take_apart(tape);
  std::optional<Judged> judged = run(whole);
  if (!judged) return false;
  if (!judged->same) {
    end_ = ShrinkEnd::kNotReproduced;
    return false;
  }
  return accept(whole, std::move(*judged));
}

bool Shrinker::attempt(const Candidate& candidate) {
  std::optional<Judged> judged = run(candidate);
  if (!judged) return false;
  if (judged->same) return accept(candidate, std::move(*judged));
  std::optional<Candidate> moved = reanchor(candidate, record_, judged->record);
  if (!moved) return false;
  judged = run(*moved);
  return judged && judged->same && accept(*moved, std::move(*judged));
}

void sweep_chunks(Shrinker& shrinker, const std::function<size_t()>& count,
                  const std::function<bool(size_t begin, size_t end)>& attempt) {
  for (size_t size = count(); size > 0; size = std::bit_floor(size - 1)) {
    size_t end = count();
    while (end > 0 && !shrinker.done()) {
      const size_t begin = end > size ? end - size : 0;
      attempt(begin, end);
      end = std::min(begin, count());
    }
  }
}

} // namespace kiln::gates
