#include "targets/boot/memmap_text.h"

#include <charconv>

namespace kiln::targets {
namespace {

struct Word {
  std::string_view text;
  uint32_t type; ///< as INT 15h numbers it
};
constexpr Word kWords[] = {{"usable", 1},   {"reserved", 2}, {"ACPI data", 3},
                           {"ACPI NVS", 4}, {"unusable", 5}, {"persistent", 7}};

/// The number behind "0x", which is taken off `line` with all that stands before it.
bool take_number(std::string_view& line, uint64_t& out) {
  const size_t at = line.find("0x");
  if (at == std::string_view::npos) {
    return false;
  }
  const char* begin = line.data() + at + 2;
  const char* end = line.data() + line.size();
  const auto [behind, problem] = std::from_chars(begin, end, out, 16);
  line.remove_prefix(static_cast<size_t>(behind - line.data()));
  return problem == std::errc() && behind != begin;
}

bool take_type(std::string_view line, uint32_t& out) {
  while (!line.empty() && (line.front() == ']' || line.front() == ' ' || line.front() == '\t')) {
    line.remove_prefix(1);
  }
  for (const Word& word : kWords) {
    if (line.starts_with(word.text)) {
      out = word.type;
      return true;
    }
  }
  return false;
}

} // namespace

bool parse_memory_map(std::string_view text, gen::FirmwareMap& out, std::string* trouble) {
  out = gen::FirmwareMap{};
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.find("0x") == std::string_view::npos) {
      continue;
    }
    gen::MapEntry entry;
    uint64_t last = 0;
    if (!take_number(line, entry.base) || !take_number(line, last) || last < entry.base ||
        !take_type(line, entry.type)) {
      *trouble = "line " + std::to_string(number) +
                 " is no range: it should read like '0x1000-0x1fff usable'\n";
      return false;
    }
    entry.length = last - entry.base + 1;
    out.entries.push_back(entry);
  }
  out.blob = gen::encode(out);
  return true;
}

} // namespace kiln::targets
