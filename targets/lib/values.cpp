// lib/values: the small types that all others are made of. Arithmetic at the edge against numbers
// of 128 bits, parts of spans and of texts against places in them, results against what they were
// made of, and memory from the heap in its two ways.

#include <algorithm>
#include <limits>
#include <utility>

#include "kernel-src/lib/allocator.h"
#include "kernel-src/lib/checked.h"
#include "kernel-src/lib/string_view.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

using clay::Error;
using clay::Result;
using clay::Span;
using clay::StringView;

constexpr const char* kName = "lib/values";
const sim::Probe kFits{kName, "a sum, a difference and a product that fit"};
const sim::Probe kOverflows{kName, "a number that does not fit its type"};
const sim::Probe kWideShift{kName, "a shift by all bits or more"};
const sim::Probe kSameEnd{kName, "a text ends with another"};
const sim::Probe kSameBytes{kName, "two spans hold the same elements"};
const sim::Probe kCopied{kName, "a result with a value is copied"};

// --- Arithmetic

using Wide = __int128;

template <typename T> bool fits(Wide number) {
  return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
}

template <typename T> void expect(const char* what, Wide want, Result<T> got) {
  (fits<T>(want) ? kFits : kOverflows).hit();
  KILN_CHECK(got.ok() == fits<T>(want), "%s is wrong about whether its result fits", what);
  KILN_CHECK(got.ok() ? got.value() == want : got.failed_with(Error::kOverflow),
             "%s has the wrong result", what);
}

template <typename T> void check_checked(uint64_t first, uint64_t second) {
  const T a = clay::truncate_to<T>(first);
  const T b = clay::truncate_to<T>(second);
  expect("checked_add", Wide{a} + b, clay::checked_add(a, b));
  expect("checked_sub", Wide{a} - b, clay::checked_sub(a, b));
  if constexpr (sizeof(T) < sizeof(uint64_t)) { // else the true product may not fit Wide
    expect("checked_mul", Wide{a} * b, clay::checked_mul(a, b));
  }
  expect("checked_cast", Wide{first}, clay::checked_cast<T>(first));
  expect("checked_cast", Wide{b}, clay::checked_cast<uint32_t>(b));
}

template <typename T> void check_saturating(uint64_t first, uint64_t second) {
  constexpr Wide kMost = std::numeric_limits<T>::max();
  const T a = clay::truncate_to<T>(first);
  const T b = clay::truncate_to<T>(second);
  KILN_CHECK(clay::saturating_add(a, b) == std::min(Wide{a} + b, kMost),
             "saturating_add has the wrong result");
  KILN_CHECK(clay::saturating_sub(a, b) == std::max(Wide{a} - b, Wide{0}),
             "saturating_sub has the wrong result");
  if constexpr (sizeof(T) < sizeof(uint64_t)) {
    KILN_CHECK(clay::saturating_mul(a, b) == std::min(Wide{a} * b, kMost),
               "saturating_mul has the wrong result");
  }
}

void check_shift(uint32_t number, unsigned bits) {
  if (bits >= 32) kWideShift.hit();
  const Result<uint32_t> got = clay::checked_shl(number, bits);
  const Wide want = bits < 32 ? Wide{number} << bits : Wide{1} << 32; // refused from 32 on
  expect("checked_shl", want, got);
}

void arithmetic(sim::Tape::View& data) {
  const uint64_t first = data.edge64();
  const uint64_t second = data.edge64();
  check_checked<uint8_t>(first, second);
  check_checked<int32_t>(first, second);
  check_checked<uint64_t>(first, second);
  check_saturating<uint16_t>(first, second);
  check_saturating<uint64_t>(first, second);
  const unsigned bits = static_cast<unsigned>(data.below(70));
  check_shift(clay::truncate_to<uint32_t>(first) >> data.below(32), bits);
}

// --- Spans and texts

/// Few different letters, so that parts are often the same.
template <size_t n> void draw_letters(sim::Tape::View& data, char (&text)[n]) {
  for (char& c : text) {
    c = static_cast<char>('a' + data.below(2));
  }
}

void check_spans(const char* text, size_t size, size_t count) {
  uint16_t words[8];
  std::fill(std::begin(words), std::end(words), uint16_t{7});
  const Span<const char> all(text, size);
  const Span<const char> last = all.last(count);
  KILN_CHECK(last.data() == text + (size - count) && last.size() == count,
             "the last %zu of %zu elements lie elsewhere", count, size);
  KILN_CHECK(Span<uint16_t>(words, size).size_bytes() == 2 * size,
             "%zu elements of two bytes have %zu bytes", size,
             Span<uint16_t>(words, size).size_bytes());
  const Span<const char> first = all.first(count);
  const bool same = std::equal(first.begin(), first.end(), last.begin(), last.end());
  if (same && count != 0 && count != size) kSameBytes.hit();
  KILN_CHECK(clay::same_elements(first, last) == same, "same_elements is wrong about %zu elements",
             count);
  KILN_CHECK(clay::same_elements(all, last) == (size == count),
             "spans of other sizes are the same");
}

void check_texts(StringView text, StringView other) {
  const clay::Bytes bytes = text.bytes();
  KILN_CHECK(reinterpret_cast<const char*>(bytes.data()) == text.data() &&
                 bytes.size() == text.size(),
             "the bytes of a text lie elsewhere");
  const bool ends = other.size() <= text.size() &&
                    std::equal(other.begin(), other.end(), text.end() - other.size());
  if (ends && !other.empty() && other.size() != text.size()) kSameEnd.hit();
  KILN_CHECK(text.ends_with(other) == ends, "ends_with is wrong about %zu of %zu characters",
             other.size(), text.size());
  const bool begins =
      other.size() <= text.size() && std::equal(other.begin(), other.end(), text.begin());
  KILN_CHECK(text.starts_with(other) == begins, "starts_with is wrong about %zu of %zu characters",
             other.size(), text.size());
  KILN_CHECK((text == other) == (begins && other.size() == text.size()),
             "two texts are wrong about being equal");
}

void parts(sim::Tape::View& data) {
  char text[8];
  char other[8];
  draw_letters(data, text);
  draw_letters(data, other);
  const size_t size = static_cast<size_t>(data.below(9));
  check_spans(text, size, static_cast<size_t>(data.below(size + 1)));
  check_texts({text, size}, {other, static_cast<size_t>(data.below(9))});
}

// --- Results

/// Counts those that live; its copies are not trivial.
class Counted {
 public:
  Counted(int number, int& alive) : number_(number), alive_(&alive) { ++alive; }
  Counted(const Counted& other) : number_(other.number_), alive_(other.alive_) { ++*alive_; }
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*alive_; }
  int number() const { return number_; }

 private:
  int number_;
  int* alive_;
};

Result<Counted> make_result(int number, bool fails, int& alive) {
  return fails ? Result<Counted>(Error::kBusy) : Result<Counted>(Counted(number, alive));
}

void expect_result(const Result<Counted>& got, int number, bool fails) {
  KILN_CHECK(got.ok() == !fails && got.failed_with(Error::kBusy) == fails,
             "a copied result is wrong about its success");
  KILN_CHECK(fails || got.value().number() == number, "a copied result has another value");
}

void results(sim::Tape::View& data) {
  int alive = 0;
  const bool first_fails = data.boolean();
  const bool second_fails = data.boolean();
  {
    Result<Counted> first = make_result(1, first_fails, alive);
    const Result<Counted> copy(first);
    expect_result(copy, 1, first_fails);
    if (!first_fails) kCopied.hit();
    first = make_result(2, second_fails, alive);
    expect_result(first, 2, second_fails);
    const int want = (first_fails ? 0 : 1) + (second_fails ? 0 : 1);
    KILN_CHECK(alive == want, "results hold %d values that live, not %d", alive, want);
  }
  KILN_CHECK(alive == 0, "%d values outlive their results", alive);
  const Result<> done = first_fails ? Result<>(Error::kInvalid) : Result<>();
  KILN_CHECK(done.failed_with(Error::kInvalid) == first_fails && !done.failed_with(Error::kBusy),
             "a result without a value is wrong about its error");
}

void check_error_texts() {
#define KILN_ERROR_TEXT(id, text) {Error::id, text},
  static constexpr std::pair<Error, const char*> kTexts[] = {CLAY_ERRORS(KILN_ERROR_TEXT)};
#undef KILN_ERROR_TEXT
  for (const auto& [error, text] : kTexts) {
    const char* const got = clay::error_text(error);
    KILN_CHECK(got != nullptr && StringView(got) == StringView(text), "'%s' has other words", text);
  }
}

// --- Memory

template <typename Heap> void check_heap(size_t size, size_t align) {
  auto* const block = static_cast<uint8_t*>(Heap::allocate(size, align));
  KILN_CHECK(block != nullptr && reinterpret_cast<uintptr_t>(block) % align == 0,
             "no block of %zu bytes at a multiple of %zu is given", size, align);
  std::fill_n(block, size, uint8_t{0x3C});
  Heap::release(block);
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  arithmetic(data);
  parts(data);
  results(data);
  check_error_texts();
  const size_t size = static_cast<size_t>(data.between(1, 200));
  const size_t align = size_t{1} << data.below(8);
  check_heap<clay::WaitingHeap>(size, align);
  check_heap<clay::AtomicHeap>(size, align);
}

const sim::Target target{{
    .name = kName,
    .purpose = "Arithmetic, spans, texts, results and heap memory against plain definitions.",
    .run = run,
    .gate_inputs = 5'000,
    .longest_tape = 128,
    .tags = "lib,pure",
}};

} // namespace
} // namespace kiln::targets
