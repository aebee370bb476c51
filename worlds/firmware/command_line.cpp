#include "worlds/firmware/command_line.h"

#include <charconv>

namespace kiln::worlds {
namespace {

bool is_blank(char c) { return std::string_view(" \t\n\r\0", 5).find(c) != std::string_view::npos; }

LineWord take_apart(std::string raw) {
  LineWord word;
  for (const char c : raw) {
    if (!word.value && c == '=') {
      word.value.emplace();
    } else if (!word.value) {
      word.name += c == '_' ? '-' : c;
    } else if (c != '"') {
      *word.value += c;
    }
  }
  word.raw = std::move(raw);
  return word;
}

} // namespace

ParsedLine parse_command_line(std::string_view line) {
  ParsedLine parsed;
  std::string word;
  bool quoted = false;
  for (size_t i = 0; i <= line.size(); ++i) {
    const bool ends = i == line.size() || (!quoted && is_blank(line[i]));
    if (!ends) {
      quoted = line[i] == '"' ? !quoted : quoted;
      word += line[i];
      continue;
    }
    if (word == "--") {
      while (i < line.size() && is_blank(line[i])) {
        ++i;
      }
      parsed.for_program = line.substr(i);
      return parsed;
    }
    if (!word.empty()) {
      parsed.words.push_back(take_apart(std::move(word)));
      word.clear();
    }
  }
  return parsed;
}

std::optional<uint64_t> number_of(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [behind, problem] = std::from_chars(text.data(), end, number, base);
  if (problem != std::errc() || behind != end) {
    return std::nullopt;
  }
  return number;
}

std::optional<uint64_t> size_of(std::string_view text) {
  static constexpr std::string_view kUnits = "KMGT";
  const size_t unit =
      text.empty() ? kUnits.npos : kUnits.find(static_cast<char>(text.back() & ~0x20));
  if (unit == kUnits.npos) {
    return number_of(text);
  }
  const std::optional<uint64_t> number = number_of(text.substr(0, text.size() - 1));
  const unsigned __int128 bytes = static_cast<unsigned __int128>(number.value_or(0))
                                  << (10 * (unit + 1));
  if (!number || bytes > UINT64_MAX) {
    return std::nullopt;
  }
  return static_cast<uint64_t>(bytes);
}

} // namespace kiln::worlds
