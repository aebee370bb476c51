// lib/numbers: text as numbers, against the same rules worked out in 128 bits.
//
// Texts are made of a sign, a prefix, digits and a suffix, any of which may be missing, doubled or
// of another base; and of numbers around the borders of 64 bits, written out.

#include "kernel-src/lib/number.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

using clay::Error;
using clay::Result;
using clay::StringView;

constexpr const char* kName = "lib/numbers";
const sim::Probe kTooLarge{kName, "a number beyond 64 bits"};
const sim::Probe kLargest{kName, "the largest number of 64 bits"};
const sim::Probe kLowest{kName, "the lowest signed number"};
const sim::Probe kShiftedOut{kName, "a suffix that shifts a number beyond 64 bits"};
const sim::Probe kOctal{kName, "an octal number"};
const sim::Probe kNone{kName, "a text that is no number"};

using Wide = unsigned __int128;

// --- The rules

/// What number.h promises for a text: an error, or a number as wide as it comes.
struct Expected {
  bool is_number = false;
  Wide magnitude = 0; ///< stops at the first that is above 64 bits
};

unsigned digit_of(char c) {
  constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  unsigned digit = 0;
  while (digit < 36 && kDigits[digit] != small) {
    ++digit;
  }
  return digit;
}

Expected digits(StringView text, unsigned base) {
  Expected out{!text.empty(), 0};
  for (const char c : text) {
    const unsigned digit = digit_of(c);
    if (digit >= base) {
      return {};
    }
    out.magnitude = out.magnitude > UINT64_MAX ? out.magnitude : out.magnitude * base + digit;
  }
  return out;
}

Expected unsigned_number(StringView text) {
  const char first = text.empty() ? '\0' : text[0];
  const char second = text.size() < 2 ? '\0' : text[1];
  if (first != '0' || text.size() == 1) {
    return digits(text, 10);
  }
  if (second == 'x' || second == 'X') {
    return digits(text.from(2), 16);
  }
  if (second == 'b' || second == 'B') {
    return digits(text.from(2), 2);
  }
  kOctal.hit();
  return digits(text, 8);
}

unsigned shift_of(char suffix) {
  constexpr char kSuffixes[] = "kKmMgGtT";
  for (unsigned i = 0; i < 8; ++i) {
    if (kSuffixes[i] == suffix) {
      return 10 * (i / 2 + 1);
    }
  }
  return 0;
}

// --- Checks

template <typename T>
void expect(const char* what, const Expected& want, Wide most, T value, const Result<T>& got) {
  if (!want.is_number) {
    kNone.hit();
    KILN_CHECK(got.failed_with(Error::kInvalid), "%s takes what is no number", what);
    return;
  }
  if (want.magnitude > most) {
    kTooLarge.hit();
    KILN_CHECK(got.failed_with(Error::kOverflow), "%s takes a number that is too large", what);
    return;
  }
  KILN_CHECK(got.ok(), "%s refuses a number", what);
  KILN_CHECK(got.value() == value, "%s reads another number", what);
}

void check_unsigned(StringView text, unsigned base) {
  const Expected based = digits(text, base);
  if (based.is_number && based.magnitude == UINT64_MAX) kLargest.hit();
  expect("parse_digits", based, UINT64_MAX, static_cast<uint64_t>(based.magnitude),
         clay::parse_digits(text, base));
  const Expected plain = unsigned_number(text);
  expect("parse_unsigned", plain, UINT64_MAX, static_cast<uint64_t>(plain.magnitude),
         clay::parse_unsigned(text));
}

void check_signed(StringView text) {
  const bool negative = !text.empty() && text[0] == '-';
  const bool has_sign = negative || (!text.empty() && text[0] == '+');
  const Expected want = unsigned_number(text.from(has_sign ? 1 : 0));
  const Wide most = Wide{INT64_MAX} + (negative ? 1 : 0);
  if (negative && want.magnitude == most) kLowest.hit();
  const auto value = static_cast<__int128>(want.magnitude);
  expect("parse_signed", want, most, static_cast<int64_t>(negative ? -value : value),
         clay::parse_signed(text));
}

void check_size(StringView text) {
  const unsigned shift = text.empty() ? 0 : shift_of(text[text.size() - 1]);
  Expected want = unsigned_number(text.first(text.size() - (shift != 0 ? 1 : 0)));
  if (want.magnitude <= UINT64_MAX) {
    want.magnitude <<= shift;
    if (want.magnitude > UINT64_MAX) kShiftedOut.hit();
  }
  expect("parse_size", want, UINT64_MAX, static_cast<uint64_t>(want.magnitude),
         clay::parse_size(text));
}

// --- Texts

/// Characters just outside the digits and letters, and at their ends.
constexpr char kNeighbours[] = {'/', ':', '@', '[', '`', '{', '0', '9', 'A', 'Z', 'a', 'z'};

class Text {
 public:
  void put(char c) {
    if (size_ < sizeof text_) {
      text_[size_++] = c;
    }
  }
  void put(const char* text) {
    for (; *text != '\0'; ++text) {
      put(*text);
    }
  }
  void change(uint64_t place, char c) {
    if (size_ != 0) {
      text_[place % size_] = c;
    }
  }
  /// Digits above 9 as capitals, if so wanted.
  void put_number(Wide number, unsigned base, bool capitals) {
    const char* const digits =
        capitals ? "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "0123456789abcdefghijklmnopqrstuvwxyz";
    char reversed[128];
    unsigned count = 0;
    do {
      reversed[count++] = digits[number % base];
      number /= base;
    } while (number != 0);
    while (count != 0) {
      put(reversed[--count]);
    }
  }
  StringView view() const { return {text_, size_}; }

 private:
  char text_[160];
  size_t size_ = 0;
};

void put_digits(sim::Tape::View& data, Text& text, unsigned base) {
  static constexpr unsigned kBorders[] = {64, 63, 54, 44, 34, 24};
  const bool capitals = data.boolean();
  switch (data.below(4)) {
  case 2: // around a border, which may lie a suffix away
    text.put_number((Wide{1} << data.pick(kBorders)) + data.below(3) - 1, base, capitals);
    return;
  case 3:
    for (uint64_t left = data.below(24); left != 0; --left) {
      text.put(static_cast<char>(data.between(' ', '~')));
    }
    return;
  default:
    text.put_number(data.below(100'000), base, capitals);
  }
}

void run(sim::Run& run) {
  static constexpr struct {
    const char* text;
    unsigned base;
  } kPrefixes[] = {{"", 10}, {"0x", 16}, {"0X", 16}, {"0b", 2}, {"0B", 2}, {"0", 8}};
  static constexpr const char* kSigns[] = {"", "-", "+", "--"};
  static constexpr const char* kSuffixes[] = {"", "k", "M", "g", "T", "kk", " "};
  auto data = run.tape.data();
  Text text;
  text.put(kSigns[data.below(4)]);
  const auto& prefix = kPrefixes[data.below(6)];
  text.put(prefix.text);
  const uint64_t other = data.below(8); // now and then digits of another base
  const unsigned base = other == 7   ? static_cast<unsigned>(data.between(2, 36))
                        : other == 6 ? 36
                                     : prefix.base;
  put_digits(data, text, base);
  const uint64_t suffix = data.below(16);
  text.put(kSuffixes[suffix < 7 ? suffix : 0]);
  if (data.below(4) == 3) {
    text.change(data.u8(), data.pick(kNeighbours));
  }
  check_unsigned(text.view(), data.boolean() ? static_cast<unsigned>(data.between(2, 36)) : base);
  check_signed(text.view());
  check_size(text.view());
}

const sim::Target target{{
    .name = kName,
    .purpose = "Text as numbers and sizes, around every border.",
    .run = run,
    .gate_inputs = 20'000,
    .longest_tape = 128,
    .tags = "lib",
}};

} // namespace
} // namespace kiln::targets
