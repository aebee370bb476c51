#include "targets/block/cache_places.h"

namespace kiln::block_cache {

uint32_t Places::pinned() const {
  uint32_t pinned = 0;
  for (const Block& block : blocks_) {
    pinned += block.pins != 0;
  }
  return pinned;
}

void Places::pin(uint64_t number) {
  ++at(number).pins;
  at(number).idle_since = 0;
}

void Places::unpin(uint64_t number, bool dirty) {
  Block& block = at(number);
  if (--block.pins == 0 && !dirty) {
    block.idle_since = ++now_;
  }
}

void Places::clean(uint64_t number) {
  Block& block = at(number);
  if (block.here && block.pins == 0) {
    block.idle_since = ++now_;
  }
}

bool Places::any_idle() const {
  for (const Block& block : blocks_) {
    if (block.idle_since != 0) {
      return true;
    }
  }
  return false;
}

bool Places::enter(uint64_t number) {
  if (count_ == capacity_) {
    Block* victim = nullptr;
    for (Block& block : blocks_) {
      if (block.idle_since != 0 && (victim == nullptr || block.idle_since < victim->idle_since)) {
        victim = &block;
      }
    }
    if (victim == nullptr) {
      return false;
    }
    *victim = {};
    --count_;
  }
  ++count_;
  at(number).here = true;
  return true;
}

void Places::leave(uint64_t number) {
  if (at(number).here) {
    at(number) = {};
    --count_;
  }
}

} // namespace kiln::block_cache
