#include "generators/printf_call.h"

#include <bit>
#include <climits>
#include <iterator>

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

/// The half of a slot that an int leaves free: whoever fetches too much sees it.
constexpr uint64_t kGarbage = 0xA5C3'96F0'0000'0000;

constexpr char kConversions[] = {'d', 'u', 'x', 's', 'i', 'X', 'o', 'c', 'p', 'b', 'B', '%'};
constexpr const char* kLengths[] = {"", "l", "ll", "z", "j", "t", "hh", "h"};
constexpr unsigned kFirstShort = 6;

constexpr const char* kLiterals[] = {
    "",  "",  " ",  ", ",       "=",   "0x",    "%%",
    "|", "[", "\t", "\x80\xFF", "cpu", "ends.", "a piece of plain text, longer than a word or two"};

// Texts to print; those of the second list have no NUL, so that nobody may read past their end.
constexpr const char* kTexts[] = {"",
                                  "a",
                                  "init",
                                  "%d%s%n",
                                  "\x01\x7F\xC3\xA9\xFF",
                                  "sixteen letters.",
                                  "a text of some fifty characters, as kernels do log",
                                  ("ninety-nine characters: this one is longer than any width "
                                   "or precision, so that both must cut it.")};
constexpr char kBare1[1] = {'z'};
constexpr char kBare5[5] = {'e', 't', 'h', '0', '!'};
constexpr char kBare8[8] = {'8', ' ', 'b', 'y', 't', 'e', 's', '.'};
struct Bare {
  const char* text;
  int size;
};
constexpr Bare kBares[] = {{kBare1, 1}, {kBare5, 5}, {kBare8, 8}};

// A precision or width as the directive will see it.
struct Number {
  bool given = false;
  int value = 0;
};

// What a directive is made of: a choice each, drawn together.
struct Choices {
  uint8_t literal;
  uint8_t conversion;
  uint8_t flags;
  uint8_t width_kind;
  uint8_t width;
  uint8_t precision_kind;
  uint8_t precision;
  uint8_t length;
};

struct Directive {
  char conversion;
  unsigned length; ///< index in kLengths
  unsigned flags;  ///< bits 0 to 4: - + space # 0
  Number width;
  Number precision;
};

class Maker {
 public:
  Maker(sim::Tape& tape, PrintfCall& call) : tape_(tape), data_(tape.data()), call_(call) {}

  void literal(uint8_t choice) { put(kLiterals[choice % std::size(kLiterals)]); }
  void directive();
  void refused();
  void huge();
  void finish() {
    *at_ = '\0';
    call_.text_size = size();
  }

 private:
  void put(char c) { *at_++ = c; }
  void put(const char* text) {
    while (*text != '\0') {
      *at_++ = *text++;
    }
  }
  void put_number(unsigned number);
  size_t size() const { return static_cast<size_t>(at_ - call_.text); }

  void argument(uint64_t value) { call_.slots[call_.slot_count++] = value; }
  void int_argument(int value) { argument(kGarbage | static_cast<uint32_t>(value)); }
  void feature(PrintfFeature which, bool on) { call_.features |= on ? which : 0; }

  void flags(Directive& out, uint8_t choice);
  Number number(uint8_t kind, uint8_t choice, PrintfFeature negative);
  void precision(Directive& out, const Choices& choices);
  void integer(const Directive& directive);
  void text(const Directive& directive);
  void character();
  void pointer();
  void operand(const Directive& directive);

  sim::Tape& tape_;
  View data_;
  PrintfCall& call_;
  char* at_ = call_.text;
};

void Maker::put_number(unsigned number) {
  if (number >= 10) {
    put_number(number / 10);
  }
  put(static_cast<char>('0' + number % 10));
}

void Maker::flags(Directive& out, uint8_t choice) {
  constexpr char kFlags[] = {'-', '+', ' ', '#', '0'};
  // Half of all directives have none. A pointer takes -, and nothing else that C defines.
  out.flags = (choice & 0x80) == 0 ? 0u : choice & 0x1Fu;
  if (out.conversion == 'p') {
    out.flags &= 1;
  }
  for (unsigned rest = out.flags; rest != 0; rest &= rest - 1) {
    put(kFlags[static_cast<unsigned>(__builtin_ctz(rest))]);
  }
  if ((choice & 0x60) == 0x60 && out.flags != 0) {
    put(kFlags[static_cast<unsigned>(__builtin_ctz(out.flags))]); // a flag may come twice
  }
}

/// Nothing, digits, or * with either sign.
Number Maker::number(uint8_t kind, uint8_t choice, PrintfFeature negative) {
  kind %= 8;
  if (kind < 4) {
    return {};
  }
  const int value = choice % (kind == 4 ? 100 : 14);
  if (kind < 6) {
    put_number(static_cast<unsigned>(value));
    return {true, value};
  }
  put('*');
  const int given = kind == 6 ? value : -1 - value;
  int_argument(given);
  feature(negative, given < 0);
  return {true, given};
}

void Maker::precision(Directive& out, const Choices& choices) {
  if (out.conversion == 'p' || (choices.precision_kind & 0xC0) != 0xC0) {
    return;
  }
  put('.');
  out.precision = number(choices.precision_kind, choices.precision, kPrintfNegativeStarPrecision);
  if (!out.precision.given) {
    out.precision = {true, 0}; // a lone point
  } else if (out.precision.value < 0) {
    out.precision = {};
  }
}

void Maker::integer(const Directive& directive) {
  const uint64_t value = data_.edge64();
  const bool whole = directive.length >= 1 && directive.length < kFirstShort;
  argument(whole ? value : kGarbage | static_cast<uint32_t>(value));
  const bool is_signed = directive.conversion == 'd' || directive.conversion == 'i';
  feature(kPrintfZeroFlagWithPrecision, (directive.flags & 0x10) != 0 && directive.precision.given);
  feature(kPrintfZeroWithPrecisionZero,
          value == 0 && directive.precision.given && directive.precision.value == 0);
  feature(kPrintfOctalMark, directive.conversion == 'o' && (directive.flags & 8) != 0);
  feature(kPrintfShortLength, directive.length >= kFirstShort && value > 0xFFFF);
  feature(kPrintfMostNegative, is_signed && whole && value == uint64_t{1} << 63);
}

void Maker::text(const Directive& directive) {
  const uint64_t choice = data_.below(16);
  const char* text = nullptr;
  if (choice < std::size(kTexts)) {
    text = kTexts[choice];
  } else if (choice < 14 && directive.precision.given) {
    // The bare text that is just long enough, or the longest.
    size_t i = 0;
    while (i + 1 < std::size(kBares) && kBares[i].size < directive.precision.value) {
      ++i;
    }
    const bool enough = kBares[i].size >= directive.precision.value;
    text = enough ? kBares[i].text : kTexts[2];
    feature(kPrintfUnterminatedText, enough);
  } else if (choice < 14) {
    text = kTexts[3];
  }
  feature(kPrintfNullText, text == nullptr);
  argument(reinterpret_cast<uintptr_t>(text));
}

void Maker::character() {
  const uint8_t c = data_.u8();
  int_argument(static_cast<int>(c) + 0x1200); // only the low byte counts
  feature(kPrintfNulCharacter, c == 0);
}

void Maker::pointer() {
  argument(data_.edge64());
  feature(kPrintfPointer, true);
}

void Maker::operand(const Directive& directive) {
  switch (directive.conversion) {
  case 's':
    return text(directive);
  case 'c':
    return character();
  case 'p':
    return pointer();
  case '%':
    return feature(kPrintfFlaggedPercent, directive.width.given || directive.flags != 0);
  default:
    return integer(directive);
  }
}

void Maker::directive() {
  sim::Span span(tape_, "directive");
  uint8_t bytes[sizeof(Choices)];
  data_.bytes(bytes);
  const Choices choices = std::bit_cast<Choices>(bytes);
  literal(choices.literal);
  Directive out{};
  out.conversion = kConversions[choices.conversion % std::size(kConversions)];
  put('%');
  flags(out, choices.flags);
  out.width = number(choices.width_kind, choices.width, kPrintfNegativeStarWidth);
  precision(out, choices);
  if (out.conversion != 'c' && out.conversion != 's' && out.conversion != 'p' &&
      out.conversion != '%') {
    out.length = choices.length % std::size(kLengths);
    put(kLengths[out.length]);
  }
  put(out.conversion);
  operand(out);
}

void Maker::refused() {
  constexpr const char* kRefused[] = {
      "%n",           "%hhn",           "%f",  "%.3Lg",  "%a",  "%E",    "%ls",  "%lc", "%C",
      "%hhs",         "%1$d",           "%'d", "%m",     "%y",  "%lls",  "%lll", "%-5", "%.",
      "%2147483648d", "%.99999999999x", "%ll", "%- +#0", "%hp", "%I64d", "%/d",  "%:d", "%5/x",
      "%.3:u"};
  sim::Span span(tape_, "refused");
  call_.tail = PrintfTail::kRefused;
  call_.tail_at = size();
  put(data_.pick(kRefused));
  if (data_.boolean()) {
    put(" then %d %s"); // an incomplete directive stays one with this behind it
  }
}

void Maker::huge() {
  constexpr uint64_t kIntMax = INT_MAX;
  sim::Span span(tape_, "huge");
  call_.tail = PrintfTail::kHuge;
  call_.tail_at = size();
  switch (data_.below(4)) {
  case 0:
    put("%*d");
    int_argument(INT_MAX);
    call_.huge = {' ', ' ', kIntMax};
    break;
  case 1:
    put("%*d");
    int_argument(INT_MIN);
    call_.huge = {'7', ' ', kIntMax + 1};
    feature(kPrintfNegativeStarWidth, true);
    break;
  case 2:
    put("%+.*d");
    int_argument(INT_MAX);
    call_.huge = {'+', '0', kIntMax + 1};
    break;
  default:
    put("%2147483647d");
    call_.huge = {' ', ' ', kIntMax};
    break;
  }
  int_argument(7);
}

} // namespace

// The va_list of the System V ABI for x86-64 (section 3.5.7) and of AAPCS64 (appendix B): with no
// register left, every argument of up to eight bytes comes from the next slot of memory.
void PrintfCall::start(va_list list) {
#if defined(__x86_64__)
  list->gp_offset = 48;
  list->fp_offset = 176;
  list->overflow_arg_area = slots;
  list->reg_save_area = nullptr;
#else
#error "say here how a va_list is made on this machine"
#endif
}

void make_printf_call(sim::Tape& tape, PrintfCall& call) {
  Maker maker(tape, call);
  View data = tape.data();
  const uint64_t directives = 1 + data.below(PrintfCall::kMostDirectives);
  const uint8_t ending = data.u8();
  for (uint64_t i = 0; i < directives && (i == 0 || !data.at_end()); ++i) {
    maker.directive();
  }
  if (ending >= 0xF0) {
    maker.refused();
  } else if (ending >= 0xEC) {
    maker.huge();
  } else {
    maker.literal(data.u8());
  }
  maker.finish();
}

} // namespace kiln::gen
