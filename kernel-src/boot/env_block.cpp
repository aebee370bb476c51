#include "kernel-src/boot/env_block.h"

#include "kernel-src/hal/bytes.h"

namespace clay {
namespace {

constexpr char kFiller = '#';
constexpr char kComment = '#';
constexpr char kEscape = '\\';

constexpr bool needs_escape(char c) { return c == kEscape || c == '\n'; }

size_t escaped_size(StringView value) {
  size_t size = value.size();
  for (const char c : value) {
    size += needs_escape(c) ? 1 : 0;
  }
  return size;
}

} // namespace

Result<EnvBlock> EnvBlock::open(MutableBytes block) {
  if (!StringView(Bytes(block)).starts_with(kSignature)) {
    return Error::kCorrupt;
  }
  size_t used = block.size();
  while (used > kSignature.size() && block[used - 1] == kFiller) {
    --used;
  }
  const EnvBlock env(block, used);
  Line line = env.line_at(kSignature.size());
  while (line.end != line.begin) {
    if (!line.closed) {
      return Error::kCorrupt;
    }
    line = env.line_at(line.end);
  }
  return env;
}

Result<EnvBlock> EnvBlock::format(MutableBytes block) {
  if (block.size() < kSignature.size()) {
    return Error::kNoSpace;
  }
  memcpy(block.data(), kSignature.data(), kSignature.size());
  memset(block.data() + kSignature.size(), kFiller, block.size() - kSignature.size());
  return EnvBlock(block, kSignature.size());
}

bool EnvBlock::is_name(StringView name) {
  if (name.empty() || name[0] == kComment) {
    return false;
  }
  for (const char c : name) {
    if (c == '=' || c == '\n' || c == '\0' || c == kEscape) {
      return false;
    }
  }
  return true;
}

StringView EnvBlock::text(size_t begin, size_t end) const {
  return StringView(Bytes(block_).subspan(begin, end - begin));
}

EnvBlock::Line EnvBlock::line_at(size_t begin) const {
  const StringView rest = text(begin, used_);
  const bool comment = !rest.empty() && rest[0] == kComment;
  size_t equals = StringView::kNotFound;
  size_t end = 0;
  bool escaped = false;
  bool closed = false;
  for (const char c : rest) {
    closed = c == '\n' && !escaped;
    if (c == '=' && equals == StringView::kNotFound) {
      equals = end;
    }
    // In a value a backslash takes the next character with it, a newline too.
    escaped = c == kEscape && !escaped && !comment && equals != StringView::kNotFound;
    ++end;
    if (closed) {
      break;
    }
  }
  const bool sets = !comment && equals != StringView::kNotFound && equals != 0;
  return {begin, begin + end, begin + (sets ? equals : end), closed};
}

EnvBlock::Variable EnvBlock::variable_of(const Line& line) const {
  return {text(line.begin, line.equals), text(line.equals + 1, line.end - 1)};
}

bool EnvBlock::sets(const Line& line, StringView name) const {
  return line.is_variable() && text(line.begin, line.equals) == name;
}

Result<size_t> EnvBlock::get(StringView name, Span<char> out) const {
  Result<StringView> found = Error::kNotFound;
  for_each([&](const Variable& variable) {
    if (variable.name == name) {
      found = variable.escaped;
    }
  });
  const StringView escaped = CLAY_TRY(found);
  size_t size = 0;
  for (size_t i = 0; i < escaped.size(); ++i) {
    const bool escapes = escaped[i] == kEscape && i + 1 < escaped.size();
    i += escapes ? 1 : 0;
    if (size == out.size()) {
      return Error::kNoSpace;
    }
    out[size++] = escaped[i];
  }
  return size;
}

size_t EnvBlock::bytes_of_lines(StringView name) const {
  size_t bytes = 0;
  for (Line line = line_at(kSignature.size()); line.end != line.begin; line = line_at(line.end)) {
    bytes += sets(line, name) ? line.end - line.begin : 0;
  }
  return bytes;
}

size_t EnvBlock::take_out(StringView name) {
  size_t place = StringView::kNotFound;
  Line line = line_at(kSignature.size());
  while (line.end != line.begin) {
    if (!sets(line, name)) {
      line = line_at(line.end);
      continue;
    }
    place = place == StringView::kNotFound ? line.begin : place;
    const size_t gone = line.end - line.begin;
    memmove(block_.data() + line.begin, block_.data() + line.end, used_ - line.end);
    memset(block_.data() + (used_ - gone), kFiller, gone);
    used_ -= gone;
    line = line_at(line.begin);
  }
  return place == StringView::kNotFound ? used_ : place;
}

void EnvBlock::make_room(size_t at, size_t bytes) {
  memmove(block_.data() + at + bytes, block_.data() + at, used_ - at);
  used_ += bytes;
}

Result<void> EnvBlock::set(StringView name, StringView value) {
  if (!is_name(name)) {
    return Error::kInvalid;
  }
  const size_t bytes = name.size() + 1 + escaped_size(value) + 1;
  if (bytes > room() + bytes_of_lines(name)) {
    return Error::kNoSpace;
  }
  const size_t place = take_out(name);
  make_room(place, bytes);
  uint8_t* at = block_.data() + place;
  memcpy(at, name.data(), name.size());
  at += name.size();
  *at++ = '=';
  for (const char c : value) {
    if (needs_escape(c)) {
      *at++ = kEscape;
    }
    *at++ = static_cast<uint8_t>(c);
  }
  *at = '\n';
  return {};
}

Result<void> EnvBlock::unset(StringView name) {
  if (bytes_of_lines(name) == 0) {
    return Error::kNotFound;
  }
  static_cast<void>(take_out(name));
  return {};
}

} // namespace clay
