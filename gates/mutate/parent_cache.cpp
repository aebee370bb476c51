#include "gates/mutate/parent_cache.h"

#include <utility>

#include "sim/prng.h"

namespace kiln::gates {
namespace {

uint64_t hash_tape(std::span<const uint8_t> tape) {
  const std::string_view text(reinterpret_cast<const char*>(tape.data()), tape.size());
  return sim::mix64(sim::hash_name(text) + tape.size());
}

} // namespace

const KnownParent* ParentCache::find(std::span<const uint8_t> tape) const {
  const auto found = known_.find(hash_tape(tape));
  return found == known_.end() ? nullptr : &found->second;
}

const KnownParent& ParentCache::remember(std::span<const uint8_t> tape, KnownParent parent) {
  const uint64_t hash = hash_tape(tape);
  if (!known_.contains(hash)) order_.push_back(hash);
  if (order_.size() > most_) {
    known_.erase(order_.front());
    order_.pop_front();
  }
  return known_[hash] = std::move(parent);
}

} // namespace kiln::gates
