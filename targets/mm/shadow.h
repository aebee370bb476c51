#pragma once
// What the kernel's allocators owe for every block that somebody has: it overlaps no other, lies
// where it may, is aligned, and keeps its contents until it is given back. Each block is filled
// with a pattern of its own; of large ones only both ends and a few bytes here and there.

#include <cstddef>
#include <cstdint>
#include <map>

namespace kiln::mm {

/// Whether an access to the bytes (the first, the last and one between, if there are any) would be
/// a finding. True in flavours that do not know.
bool is_nobodys(const void* at, size_t size);

class Shadow {
 public:
  /// Blocks must lie in [from, from + bytes).
  Shadow(const uint8_t* from, size_t bytes) : from_(from), bytes_(bytes) {}

  /// Somebody was handed a block: judges its place and fills it.
  void add(void* block, size_t size, size_t align);
  /// Judges its contents, and fills it anew.
  void touch(void* block);
  /// It has another size now: judges what must have stayed, and fills it anew.
  void resize(void* block, size_t size);
  /// Judges its contents; it is about to be given back.
  void remove(void* block);

  struct Block {
    size_t size;
    uint8_t seed;
  };
  /// By address.
  const std::map<uintptr_t, Block>& blocks() const { return blocks_; }

 private:
  void check_place(uintptr_t at, size_t size) const;
  void fill(uintptr_t at, Block& block);
  static void check(uintptr_t at, const Block& block, size_t size);

  const uint8_t* from_;
  size_t bytes_;
  uint8_t fills_ = 0;
  std::map<uintptr_t, Block> blocks_;
};

} // namespace kiln::mm
