#pragma once
// Choices -> a call of a printf-like function: a format with C's whole conversion grammar for
// integers, text, characters and pointers, and the arguments that it asks for.
//
// Made so that the host's vsnprintf has an answer (nothing that C leaves undefined and the GNU C
// library does differently), except for a tail that a kernel may refuse, or whose result is longer
// than an int can say; those are marked, and what is to be expected is then said here.

#include <cstdarg>
#include <cstddef>
#include <cstdint>

#include "sim/tape.h"

namespace kiln::gen {

/// States that a call brings its callee into; for probes.
enum PrintfFeature : uint32_t {
  kPrintfNegativeStarWidth = 1u << 0,
  kPrintfNegativeStarPrecision = 1u << 1,
  kPrintfZeroFlagWithPrecision = 1u << 2,
  kPrintfZeroWithPrecisionZero = 1u << 3,
  kPrintfOctalMark = 1u << 4,
  kPrintfUnterminatedText = 1u << 5,
  kPrintfNullText = 1u << 6,
  kPrintfNulCharacter = 1u << 7,
  kPrintfShortLength = 1u << 8,  ///< hh or h of a number that it cuts
  kPrintfMostNegative = 1u << 9, ///< a signed number without a positive counterpart
  kPrintfPointer = 1u << 10,
  kPrintfFlaggedPercent = 1u << 11,
};
inline constexpr unsigned kPrintfFeatures = 12;

enum class PrintfTail : uint8_t {
  kNone,
  kRefused, ///< text from `tail_at` on is no directive that the kernel knows
  kHuge,    ///< a directive at `tail_at` whose result is about 2^31 characters long
};

/// How a huge result looks: one character, then `fill`, `length` characters in all.
struct PrintfHuge {
  char first;
  char fill;
  uint64_t length;
};

struct PrintfCall {
  static constexpr size_t kMostDirectives = 12;
  static constexpr size_t kMostText = 1024;
  static constexpr size_t kMostSlots = 3 * kMostDirectives + 2;
  /// The host's answer to the format without its tail is always shorter.
  static constexpr size_t kMostOutput = 2048;

  char text[kMostText]; ///< NUL-terminated
  size_t text_size = 0;
  /// One argument each; what an int does not fill of its slot is not zero.
  uint64_t slots[kMostSlots];
  unsigned slot_count = 0;
  uint32_t features = 0;
  PrintfTail tail = PrintfTail::kNone;
  size_t tail_at = 0;
  PrintfHuge huge{};

  /// Points `list` at the arguments.
  void start(va_list list);
};

/// Draws a call from the data lane; an empty tape gives "%d" of 0.
void make_printf_call(sim::Tape& tape, PrintfCall& call);

} // namespace kiln::gen
