// Bitmaps in words of every width, against std::vector<bool>. Bits behind the end must stay.

#include "kernel-src/lib/bitmap.h"

#include <algorithm>
#include <vector>

#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/lib/containers/programs.h"

namespace kiln::targets {
namespace {

const sim::Probe kAcrossWords{kContainers, "a range of bits covers a whole word and more"};
const sim::Probe kLastBit{kContainers, "a range of bits ends with the map"};
const sim::Probe kAligned{kContainers, "an aligned run starts behind a shorter one"};
const sim::Probe kNoRun{kContainers, "there is no run of clear bits that long"};

template <typename Word> class BitmapProgram {
 public:
  explicit BitmapProgram(sim::Run& run)
      : data_(run.tape.data()), bits_(static_cast<size_t>(data_.below(kMostBits + 1))),
        view_(words_, bits_), model_(bits_) {
    std::fill(std::begin(words_), std::end(words_), kBehind);
    view_.clear_range(0, bits_);
  }

  void step();
  void check() const;

 private:
  static constexpr size_t kMostBits = 160;
  static constexpr size_t kWidth = 8 * sizeof(Word);
  static constexpr Word kBehind = static_cast<Word>(0x5A5A'5A5A'5A5A'5A5A);

  struct Range {
    size_t first;
    size_t count;
  };
  Range draw_range();
  void change_one(size_t bit, bool value);
  void change(Range range, bool value);
  void ask(Range range);
  void find(size_t from);
  void find_run(size_t from);
  size_t model_find(size_t from, bool value) const;
  bool is_run(size_t first, size_t count) const;

  sim::Tape::View data_;
  size_t bits_;
  Word words_[kMostBits / kWidth + 1];
  clay::BitmapView<Word> view_;
  std::vector<bool> model_;
};

template <typename Word> auto BitmapProgram<Word>::draw_range() -> Range {
  const size_t first = static_cast<size_t>(data_.below(bits_ + 1));
  const size_t count = static_cast<size_t>(data_.below(bits_ - first + 1));
  if (count >= 2 * kWidth) kAcrossWords.hit();
  if (count != 0 && first + count == bits_) kLastBit.hit();
  return {first, count};
}

template <typename Word> void BitmapProgram<Word>::change(Range range, bool value) {
  value ? view_.set_range(range.first, range.count) : view_.clear_range(range.first, range.count);
  std::fill_n(model_.begin() + static_cast<ptrdiff_t>(range.first), range.count, value);
}

template <typename Word> void BitmapProgram<Word>::change_one(size_t bit, bool value) {
  if (bit < bits_) {
    value ? view_.set(bit) : view_.clear(bit);
    model_[bit] = value;
  }
}

template <typename Word> void BitmapProgram<Word>::ask(Range range) {
  const auto begin = model_.begin() + static_cast<ptrdiff_t>(range.first);
  const auto end = begin + static_cast<ptrdiff_t>(range.count);
  const size_t set = static_cast<size_t>(std::count(begin, end, true));
  const size_t got = view_.count(range.first, range.count);
  KILN_CHECK(got == set, "%zu bits from %zu hold %zu set ones, not %zu", range.count, range.first,
             set, got);
  KILN_CHECK(view_.all_set(range.first, range.count) == (set == range.count),
             "all_set(%zu, %zu) is wrong", range.first, range.count);
  KILN_CHECK(view_.all_clear(range.first, range.count) == (set == 0),
             "all_clear(%zu, %zu) is wrong", range.first, range.count);
}

template <typename Word> size_t BitmapProgram<Word>::model_find(size_t from, bool value) const {
  const auto found = std::find(model_.begin() + static_cast<ptrdiff_t>(from), model_.end(), value);
  return found == model_.end() ? clay::kNoBit : static_cast<size_t>(found - model_.begin());
}

template <typename Word> void BitmapProgram<Word>::find(size_t from) {
  KILN_CHECK(view_.find_set(from) == model_find(from, true), "find_set(%zu) is wrong", from);
  KILN_CHECK(view_.find_clear(from) == model_find(from, false), "find_clear(%zu) is wrong", from);
}

template <typename Word> bool BitmapProgram<Word>::is_run(size_t first, size_t count) const {
  return first + count <= bits_ && model_find(first, true) >= first + count;
}

template <typename Word> void BitmapProgram<Word>::find_run(size_t from) {
  const size_t count = 1 + static_cast<size_t>(data_.below(24));
  const size_t align = size_t{1} << data_.below(8);
  size_t want = (from + align - 1) / align * align;
  while (want < bits_ && !is_run(want, count)) {
    want += align;
  }
  want = want < bits_ ? want : clay::kNoBit;
  const size_t got = view_.find_clear_run(from, count, align);
  KILN_CHECK(got == want, "find_clear_run(%zu, %zu, %zu) is %zd, not %zd", from, count, align,
             static_cast<ssize_t>(got), static_cast<ssize_t>(want));
  if (want == clay::kNoBit) kNoRun.hit();
  if (want != clay::kNoBit && want > model_find(from, false) && align > 1) kAligned.hit();
}

template <typename Word> void BitmapProgram<Word>::step() {
  const Range range = draw_range();
  switch (data_.below(8)) {
  case 0:
  case 1:
    return change(range, true);
  case 2:
    return change_one(range.first, true);
  case 3:
    return change_one(range.first, false);
  case 4:
    return change(range, false);
  case 5:
    return ask(range);
  case 6:
    return find(range.first);
  default:
    return find_run(range.first);
  }
}

template <typename Word> void BitmapProgram<Word>::check() const {
  for (size_t bit = 0; bit < std::size(words_) * kWidth; ++bit) {
    const bool got = (words_[bit / kWidth] >> (bit % kWidth) & 1) != 0;
    const bool behind = (kBehind >> (bit % kWidth) & 1) != 0;
    KILN_CHECK(got == (bit < bits_ ? model_[bit] : behind), "bit %zu of %zu is wrong", bit, bits_);
    KILN_CHECK(bit >= bits_ || view_.test(bit) == got, "test(%zu) is wrong", bit);
  }
  const auto set = static_cast<size_t>(std::count(model_.begin(), model_.end(), true));
  KILN_CHECK(view_.size() == bits_ && view_.count() == set,
             "a bitmap has %zu bits, %zu of them set; its model %zu and %zu", view_.size(),
             view_.count(), bits_, set);
}

/// One that brings its own words.
class OwnBitmapProgram {
 public:
  explicit OwnBitmapProgram(sim::Run& run) : data_(run.tape.data()), model_(kBits) {}

  void step() {
    const size_t bit = static_cast<size_t>(data_.below(kBits));
    model_[bit] = data_.boolean();
    model_[bit] ? bitmap_.view().set(bit) : bitmap_.view().clear(bit);
  }
  void check() {
    KILN_CHECK(bitmap_.view().size() == kBits, "a bitmap of %zu bits has %zu", kBits,
               bitmap_.view().size());
    for (size_t bit = 0; bit < kBits; ++bit) {
      KILN_CHECK(bitmap_.test(bit) == model_[bit], "test(%zu) of %zu is wrong", bit, kBits);
    }
  }

 private:
  static constexpr size_t kBits = 130;

  sim::Tape::View data_;
  clay::Bitmap<kBits> bitmap_;
  std::vector<bool> model_;
};

template <typename Program> void run_program(sim::Run& run) {
  Program program(run);
  for (unsigned step = 0; step < kMostSteps && !run.tape.data().at_end(); ++step) {
    sim::Span span(run.tape, "step");
    program.step();
    program.check();
  }
}

} // namespace

void run_bitmap(sim::Run& run) {
  constexpr void (*kPrograms[])(sim::Run&) = {
      run_program<BitmapProgram<uint64_t>>, run_program<BitmapProgram<uint8_t>>,
      run_program<BitmapProgram<uint32_t>>, run_program<OwnBitmapProgram>};
  run.tape.data().pick(kPrograms)(run);
}

} // namespace kiln::targets
