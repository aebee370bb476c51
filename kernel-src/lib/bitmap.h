#pragma once
// Bits in words: free blocks, allocated numbers, sets of CPUs. Bit i is bit i % w of word i / w.
//
// BitmapView works on words of the caller's; with Word = uint8_t the layout is that of ext2's and
// most other on-disk bitmaps. Bitmap<n> brings its own words. Not synchronised.

#include <bit>
#include <concepts>
#include <limits>
#include <stddef.h>
#include <stdint.h>

#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/span.h"

namespace clay {

/// "No such bit", from the find functions.
inline constexpr size_t kNoBit = SIZE_MAX;

template <std::unsigned_integral Word = uint64_t> class BitmapView {
 public:
  constexpr BitmapView() = default;
  /// The first `bits` bits of `words`, which has that many. Bits behind them are never touched.
  constexpr BitmapView(Span<Word> words, size_t bits) : words_(words), bits_(bits) {
    CLAY_ASSERT(divide_up(bits, kWidth) <= words.size());
  }

  constexpr size_t size() const { return bits_; }

  constexpr bool test(size_t bit) const {
    CLAY_ASSERT(bit < bits_);
    return (words_[bit / kWidth] >> (bit % kWidth) & 1) != 0;
  }
  constexpr void set(size_t bit) { set_range(bit, 1); }
  constexpr void clear(size_t bit) { clear_range(bit, 1); }

  // --- Ranges [first, first + count), which lie within the map; count may be 0

  constexpr void set_range(size_t first, size_t count) {
    for_words(first, count, [this](size_t word, Word mask) {
      words_[word] = static_cast<Word>(words_[word] | mask);
      return true;
    });
  }
  constexpr void clear_range(size_t first, size_t count) {
    for_words(first, count, [this](size_t word, Word mask) {
      words_[word] = static_cast<Word>(words_[word] & ~mask);
      return true;
    });
  }
  constexpr bool all_set(size_t first, size_t count) const {
    return for_words(first, count,
                     [this](size_t word, Word mask) { return (words_[word] & mask) == mask; });
  }
  constexpr bool all_clear(size_t first, size_t count) const {
    return for_words(first, count,
                     [this](size_t word, Word mask) { return (words_[word] & mask) == 0; });
  }
  /// Set bits in the range.
  constexpr size_t count(size_t first, size_t count) const {
    size_t total = 0;
    for_words(first, count, [&](size_t word, Word mask) {
      total += static_cast<size_t>(std::popcount(static_cast<Word>(words_[word] & mask)));
      return true;
    });
    return total;
  }
  constexpr size_t count() const { return count(0, bits_); }

  // --- Search from bit `from` on (which may be size()); kNoBit when there is none

  constexpr size_t find_set(size_t from) const { return find(from, 0); }
  constexpr size_t find_clear(size_t from) const { return find(from, kAll); }
  /// The first of `count` (at least 1) clear bits in a row that starts at a multiple of `align`
  /// (a power of two).
  constexpr size_t find_clear_run(size_t from, size_t count, size_t align = 1) const;

 private:
  static constexpr size_t kWidth = std::numeric_limits<Word>::digits;
  static constexpr Word kAll = std::numeric_limits<Word>::max();

  /// Calls act(word, mask) for every word that the range touches, mask holding the range's bits in
  /// it; ends early, and returns false, when act does.
  template <typename Act> constexpr bool for_words(size_t first, size_t count, Act act) const {
    CLAY_ASSERT(range_within(first, count, bits_));
    const size_t end = first + count;
    while (first < end) {
      const size_t word = first / kWidth;
      const size_t low = first % kWidth;
      const size_t taken = end - first < kWidth - low ? end - first : kWidth - low;
      const Word run = static_cast<Word>(kAll >> (kWidth - taken));
      if (!act(word, wrapping_shl(run, static_cast<unsigned>(low)))) {
        return false;
      }
      first += taken;
    }
    return true;
  }

  /// The first bit from `from` on that differs from the bits of `skipped`, which is 0 or all ones.
  constexpr size_t find(size_t from, Word skipped) const {
    CLAY_ASSERT(from <= bits_);
    size_t found = kNoBit;
    for_words(from, bits_ - from, [&](size_t word, Word mask) {
      const Word hits = static_cast<Word>((words_[word] ^ skipped) & mask);
      if (hits == 0) {
        return true;
      }
      found = word * kWidth + static_cast<size_t>(std::countr_zero(hits));
      return false;
    });
    return found;
  }

  Span<Word> words_;
  size_t bits_ = 0;
};

template <std::unsigned_integral Word>
constexpr size_t BitmapView<Word>::find_clear_run(size_t from, size_t count, size_t align) const {
  CLAY_ASSERT(count > 0);
  while (from <= bits_) {
    const size_t free = find_clear(from);
    if (free == kNoBit) {
      return kNoBit;
    }
    const Result<size_t> start = align_up(free, align);
    if (!start.ok() || !range_within(start.value(), count, bits_)) {
      return kNoBit;
    }
    const size_t blocked = find_set(start.value());
    if (blocked == kNoBit || blocked - start.value() >= count) {
      return start.value();
    }
    from = blocked + 1;
  }
  return kNoBit;
}

/// `bits` bits, all clear at first. `view()` has the operations.
template <size_t bits> class Bitmap {
 public:
  constexpr BitmapView<uint64_t> view() { return BitmapView<uint64_t>(words_, bits); }
  constexpr bool test(size_t bit) const {
    CLAY_ASSERT(bit < bits);
    return (words_[bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
  static_assert(bits > 0);
  uint64_t words_[(bits + 63) / 64] = {};
};

} // namespace clay
