// lib/format: Clay's printf against the host's vsnprintf.
//
// Checks, for one format with up to twelve directives: every byte of the text, the length that is
// returned, the NUL, that nothing is written behind it or before the buffer, for a buffer that
// holds all, one that cuts, one of size 1 and one of size 0 (also null). A refused directive must
// stand in the output as it is in the format; results longer than an int can say must be counted
// right.
//
// %p with flags that C leaves undefined is compared with %#lx, as format.h promises.
//
// Does not check: floating point and wide characters (Clay has none).

#include "kernel-src/lib/format.h"

#include <cstdio>
#include <cstring>

#include "generators/printf_call.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

// The C library's own name for vsnprintf: the sanitizers do not stand before it, which would read
// the format once more.
extern "C" int __vsnprintf(char* out, size_t size, const char* format, va_list args);

namespace kiln::targets {
namespace {

using gen::PrintfCall;
using gen::PrintfTail;

constexpr const char* kName = "lib/format";

// In the order of PrintfFeature.
const sim::Probe kFeatureProbes[gen::kPrintfFeatures] = {
    {kName, "a negative * as width"},
    {kName, "a negative * as precision"},
    {kName, "the 0 flag beside a precision"},
    {kName, "0 with precision 0"},
    {kName, "# with octal"},
    {kName, "a text without a NUL"},
    {kName, "a null text"},
    {kName, "%c of NUL"},
    {kName, "hh or h of a number that it cuts"},
    {kName, "the most negative number"},
    {kName, "a pointer"},
    {kName, "%% with flags or width"},
};
const sim::Probe kRefused{kName, "a refused directive"};
const sim::Probe kHuge{kName, "a length above INT_MAX"};
const sim::Probe kCut{kName, "the text is cut"};
const sim::Probe kExactFit{kName, "the text just fits"};
const sim::Probe kOneShort{kName, "the text is one too long"};
const sim::Probe kFlaggedPointer{kName, "a pointer with flags that do not count"};
const sim::Probe kNullBuffer{kName, "size 0 and a null buffer"};

/// What Clay must print: the first `known` characters, and how many there are in all.
struct Expected {
  static constexpr size_t kMostTail = 64;
  char text[PrintfCall::kMostOutput + kMostTail];
  size_t known = 0;
  uint64_t length = 0;
};

void append(Expected& expected, const char* text, size_t size) {
  memcpy(expected.text + expected.known, text, size);
  expected.known += size;
  expected.length += size;
}

void expect_huge(Expected& expected, const gen::PrintfHuge& huge) {
  memset(expected.text + expected.known, huge.fill, Expected::kMostTail);
  expected.text[expected.known] = huge.first;
  expected.known += Expected::kMostTail;
  expected.length += huge.length;
}

void ask_host(PrintfCall& call, Expected& expected) {
  // The host must not see the tail.
  const bool has_tail = call.tail != PrintfTail::kNone;
  const char first_of_tail = call.text[call.tail_at];
  if (has_tail) {
    call.text[call.tail_at] = '\0';
  }
  va_list args;
  call.start(args);
  const int length = __vsnprintf(expected.text, PrintfCall::kMostOutput, call.text, args);
  KILN_CHECK(length >= 0 && static_cast<size_t>(length) < PrintfCall::kMostOutput,
             "the host's vsnprintf returned %d for \"%s\"", length, call.text);
  expected.known = expected.length = static_cast<size_t>(length);
  if (has_tail) {
    call.text[call.tail_at] = first_of_tail;
  }
  if (call.tail == PrintfTail::kRefused) {
    append(expected, call.text + call.tail_at, call.text_size - call.tail_at);
  } else if (call.tail == PrintfTail::kHuge) {
    expect_huge(expected, call.huge);
  }
}

/// Room for all, or one of the sizes at which something changes; never more than what is known.
size_t draw_size(sim::Tape& tape, const Expected& expected) {
  const bool all_known = expected.known == expected.length;
  const size_t fit = expected.known + (all_known ? 1 : 0);
  switch (tape.data().u8() % 16) {
  default:
    return all_known ? fit + 7 : fit;
  case 7:
    return all_known ? fit + 1 : fit;
  case 8:
    return fit;
  case 9:
    return fit - 1;
  case 10:
    return 0;
  case 11:
    return 1;
  case 12:
  case 13:
  case 14:
  case 15:
    return static_cast<size_t>(tape.data().below(fit + 1));
  }
}

void note_probes(const PrintfCall& call, const Expected& expected, size_t size) {
  for (uint32_t rest = call.features; rest != 0; rest &= rest - 1) {
    kFeatureProbes[__builtin_ctz(rest)].hit();
  }
  if (call.tail == PrintfTail::kRefused) kRefused.hit();
  if (call.tail == PrintfTail::kHuge) kHuge.hit();
  if (size != 0 && size <= expected.length) kCut.hit();
  if (size == expected.length + 1) kExactFit.hit();
  if (size != 0 && size == expected.length) kOneShort.hit();
}

/// A buffer with guard bytes before it, and behind the place where the text must end.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t untouched_from) : tail_(bytes_ + kGuard + untouched_from) {
    set_guard(bytes_);
    set_guard(tail_);
  }
  char* out() { return bytes_ + kGuard; }
  bool intact() const { return is_guard(bytes_) && is_guard(tail_); }

 private:
  static constexpr size_t kGuard = 16;
  static constexpr uint64_t kPattern = 0xD7D7'D7D7'D7D7'D7D7;

  static void set_guard(char* at) {
    memcpy(at, &kPattern, 8);
    memcpy(at + 8, &kPattern, 8);
  }
  static bool is_guard(const char* at) {
    uint64_t first;
    uint64_t second;
    memcpy(&first, at, 8);
    memcpy(&second, at + 8, 8);
    return first == kPattern && second == kPattern;
  }

  char bytes_[PrintfCall::kMostOutput + Expected::kMostTail + 2 * kGuard + 8];
  char* tail_;
};

void compare(PrintfCall& call, const Expected& expected, size_t size, bool null) {
  const size_t kept = size == 0 ? 0 : expected.length < size ? expected.known : size - 1;
  [[clang::uninitialized]] GuardedBuffer buffer(size == 0 ? 0 : kept + 1);
  va_list args;
  call.start(args);
  const size_t length = clay::vformat(null ? nullptr : buffer.out(), size, call.text, args);
  KILN_CHECK(length == expected.length, "\"%s\" has length %zu, not %llu", call.text, length,
             static_cast<unsigned long long>(expected.length));
  KILN_CHECK(buffer.intact(), "\"%s\" into %zu bytes writes outside of them", call.text, size);
  if (size == 0) {
    return;
  }
  KILN_CHECK(memcmp(buffer.out(), expected.text, kept) == 0,
             "\"%s\" into %zu bytes is \"%.*s\", not \"%.*s\"", call.text, size,
             static_cast<int>(kept), buffer.out(), static_cast<int>(kept), expected.text);
  KILN_CHECK(buffer.out()[kept] == '\0', "\"%s\" into %zu bytes has no NUL at its end", call.text,
             size);
}

/// Of all that may stand beside %p only the width and the - flag count.
void check_pointer(sim::Tape::View data) {
  static constexpr const char* kFormats[][2] = {
      {"%+p", "%#lx"},   {"% p", "%#lx"},          {"%020p", "%#20lx"}, {"%-20p", "%-#20lx"},
      {"%.30p", "%#lx"}, {"%0-+22.3p", "%-#22lx"}, {"%#5p", "%#5lx"},   {"%030.0p", "%#30lx"}};
  const auto& formats = data.pick(kFormats);
  const uint64_t address = data.edge64() | 1; // null is "(nil)"
  char got[64];
  char want[64];
  clay::format(got, sizeof got, formats[0], reinterpret_cast<const void*>(address));
  snprintf(want, sizeof want, formats[1], static_cast<unsigned long>(address));
  KILN_CHECK(strcmp(got, want) == 0, "\"%s\" is \"%s\", not \"%s\"", formats[0], got, want);
  kFlaggedPointer.hit();
}

void run(sim::Run& run) {
  // No auto-init: these are large, and what of them is read has been written.
  [[clang::uninitialized]] PrintfCall call;
  gen::make_printf_call(run.tape, call);
  [[clang::uninitialized]] Expected expected;
  ask_host(call, expected);
  const size_t size = draw_size(run.tape, expected);
  const bool null = size == 0 && run.tape.data().boolean();
  if (null) kNullBuffer.hit();
  note_probes(call, expected, size);
  compare(call, expected, size, null);
  if (run.tape.data().below(16) == 15) {
    check_pointer(run.tape.data());
  }
  run.machine.digest(expected.length);
}

const sim::Target target{{
    .name = kName,
    .purpose = "Clay's printf against the host's vsnprintf, byte for byte.",
    .run = run,
    .gate_inputs = 500'000,
    .longest_tape = 1024,
    .tags = "lib,pure",
}};

} // namespace
} // namespace kiln::targets
