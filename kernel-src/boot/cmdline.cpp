#include "kernel-src/boot/cmdline.h"

#include <initializer_list>

#include "kernel-src/lib/number.h"

namespace clay {
namespace {

// A NUL is a blank too: a line that comes as a fixed field may be filled up with them.
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

StringView without_blanks(StringView text) {
  size_t blanks = 0;
  for (const char c : text) {
    if (!is_blank(c)) {
      break;
    }
    ++blanks;
  }
  return text.from(blanks);
}

/// Longest value that numbers and switches can have; anything longer is none.
constexpr size_t kShortValueMax = 32;

class ShortValue {
 public:
  explicit ShortValue(const CommandWord& word) : size_(word.value(Span<char>(text_))) {}
  Result<StringView> view() const {
    return size_.ok() ? Result<StringView>(StringView(text_, size_.value())) : Error::kInvalid;
  }

 private:
  char text_[kShortValueMax] = {};
  Result<size_t> size_;
};

} // namespace

bool CommandWord::is_named(StringView name) const {
  const StringView own = StringView(text_).split_off('=');
  if (own.size() != name.size()) {
    return false;
  }
  for (size_t i = 0; i < own.size(); ++i) {
    const bool dashes = (own[i] == '-' || own[i] == '_') && (name[i] == '-' || name[i] == '_');
    if (own[i] != name[i] && !dashes) {
      return false;
    }
  }
  return true;
}

bool CommandWord::has_value() const { return text_.find('=') != StringView::kNotFound; }

Result<size_t> CommandWord::value(Span<char> out) const {
  StringView rest = text_;
  static_cast<void>(rest.split_off('='));
  size_t size = 0;
  for (const char c : rest) {
    if (c == '"') {
      continue;
    }
    if (size == out.size()) {
      return Error::kNoSpace;
    }
    out[size++] = c;
  }
  return size;
}

StringView CommandLine::next_word(StringView& rest) {
  rest = without_blanks(rest);
  size_t size = 0;
  bool quoted = false;
  for (const char c : rest) {
    if (is_blank(c) && !quoted) {
      break;
    }
    quoted ^= c == '"';
    ++size;
  }
  const StringView word = rest.first(size);
  rest = rest.from(size);
  return word;
}

StringView CommandLine::for_first_program() const {
  StringView rest = text_;
  StringView word = next_word(rest);
  while (is_ours(word)) {
    word = next_word(rest);
  }
  return without_blanks(rest);
}

Result<CommandWord> CommandLine::find(StringView name) const {
  Result<CommandWord> found = Error::kNotFound;
  for_each([&](CommandWord word) {
    if (word.is_named(name)) {
      found = word;
    }
  });
  return found;
}

Result<uint64_t> CommandLine::number(StringView name) const {
  const ShortValue value(CLAY_TRY(find(name)));
  const Result<uint64_t> number = parse_unsigned(CLAY_TRY(value.view()));
  return number.ok() ? number : Error::kInvalid;
}

Result<uint64_t> CommandLine::size(StringView name) const {
  const ShortValue value(CLAY_TRY(find(name)));
  const Result<uint64_t> size = parse_size(CLAY_TRY(value.view()));
  return size.ok() ? size : Error::kInvalid;
}

Result<bool> CommandLine::boolean(StringView name) const {
  const CommandWord word = CLAY_TRY(find(name));
  if (!word.has_value()) {
    return true;
  }
  const ShortValue value(word);
  const StringView text = CLAY_TRY(value.view());
  for (const StringView yes :
       {StringView("on"), StringView("yes"), StringView("true"), StringView("1")}) {
    if (text == yes) {
      return true;
    }
  }
  for (const StringView no :
       {StringView("off"), StringView("no"), StringView("false"), StringView("0")}) {
    if (text == no) {
      return false;
    }
  }
  return Error::kInvalid;
}

} // namespace clay
