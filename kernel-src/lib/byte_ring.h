#pragma once
// A first-in first-out queue of bytes in memory of the caller's: a pipe, a serial port's buffer, a
// socket's stream. Not synchronised.

#include <stddef.h>
#include <stdint.h>

#include "kernel-src/hal/bytes.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/span.h"

namespace clay {

class ByteRing {
 public:
  constexpr ByteRing() = default;
  /// Holds up to storage.size() bytes, any number; `storage` must outlive the ring.
  explicit constexpr ByteRing(MutableBytes storage) : storage_(storage) {}

  constexpr size_t capacity() const { return storage_.size(); }
  constexpr size_t size() const { return size_; }
  constexpr size_t room() const { return capacity() - size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return room() == 0; }

  /// Puts in as much of `from` as there is room for, from its start; returns how much.
  size_t write(Bytes from) {
    const size_t count = smaller(from.size(), room());
    const size_t start = place(size_);
    const size_t before_end = smaller(count, capacity() - start);
    copy(storage_.subspan(start, before_end), from.first(before_end));
    copy(storage_.first(count - before_end), from.subspan(before_end, count - before_end));
    size_ += count;
    return count;
  }

  /// Takes out as much as `to` holds; returns how much.
  size_t read(MutableBytes to) {
    const size_t count = peek(0, to);
    drop(count);
    return count;
  }

  /// Copies bytes from `offset` behind the oldest on, without taking them out; returns how many.
  size_t peek(size_t offset, MutableBytes to) const {
    if (offset >= size_) {
      return 0;
    }
    const size_t count = smaller(to.size(), size_ - offset);
    const size_t start = place(offset);
    const size_t before_end = smaller(count, capacity() - start);
    copy(to.first(before_end), storage_.subspan(start, before_end));
    copy(to.subspan(before_end, count - before_end), storage_.first(count - before_end));
    return count;
  }

  /// The oldest bytes as they lie, as many as do so in one piece: empty only when the ring is.
  Bytes front_piece() const { return storage_.subspan(head_, smaller(size_, capacity() - head_)); }

  /// Takes the oldest `count` bytes out unread; there are that many.
  void drop(size_t count) {
    CLAY_ASSERT(count <= size_);
    head_ = place(count);
    size_ -= count;
  }
  void clear() { drop(size_); }

 private:
  static constexpr size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
  static void copy(MutableBytes to, Bytes from) {
    if (!from.empty()) {
      memcpy(to.data(), from.data(), from.size());
    }
  }
  /// Where the byte `offset` behind the oldest lies; offset <= capacity.
  constexpr size_t place(size_t offset) const {
    const size_t before_end = capacity() - head_;
    return offset < before_end ? head_ + offset : offset - before_end;
  }

  MutableBytes storage_;
  size_t head_ = 0; ///< where the oldest byte lies; below capacity unless that is 0
  size_t size_ = 0;
};

} // namespace clay
