#pragma once
// Which blocks a cache keeps: the exact rule, for a task that is alone and a disk that fails
// nothing. A block that is clean and not pinned is idle; when there is no room, the one that has
// been idle for the longest goes.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln::block_cache {

class Places {
 public:
  Places(size_t blocks, uint32_t capacity) : blocks_(blocks), capacity_(capacity) {}

  bool here(uint64_t number) const { return at(number).here; }
  bool full() const { return count_ == capacity_; }
  uint32_t pins(uint64_t number) const { return at(number).pins; }
  uint32_t pinned() const; ///< blocks

  bool any_idle() const;

  void pin(uint64_t number);
  /// `dirty`: not durable.
  void unpin(uint64_t number, bool dirty);
  /// It has become durable.
  void clean(uint64_t number);
  /// It comes in, pinned by nobody yet; one that is idle makes room if need be. False when there is
  /// none.
  bool enter(uint64_t number);
  void leave(uint64_t number);

 private:
  struct Block {
    bool here = false;
    uint32_t pins = 0;
    uint64_t idle_since = 0; ///< 0: it is not idle
  };
  Block& at(uint64_t number) { return blocks_[static_cast<size_t>(number)]; }
  const Block& at(uint64_t number) const { return blocks_[static_cast<size_t>(number)]; }

  std::vector<Block> blocks_;
  uint32_t capacity_;
  uint32_t count_ = 0;
  uint64_t now_ = 0;
};

} // namespace kiln::block_cache
