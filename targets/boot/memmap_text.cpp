#include "targets/boot/memmap_text.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <iterator>

#include "targets/boot/append_printf.h"

namespace kiln::targets {
namespace {

struct Word {
  std::string_view text;
  uint32_t type; ///< as INT 15h numbers it
};
constexpr Word kWords[] = {{"usable", 1},        {"reserved", 2}, {"ACPI data", 3},
                           {"ACPI NVS", 4},      {"unusable", 5}, {"persistent", 7},
                           {"soft reserved", 2}, {"type ", 2}};

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

/// A line that shows a range, and not just some number.
bool shows_range(std::string_view line) {
  uint64_t number = 0;
  return take_number(line, number) && line.starts_with("-0x");
}

/// All of 64 bits are one byte more than a length can say: two entries.
void add_range(gen::MapEntry entry, uint64_t last, std::vector<gen::MapEntry>& out) {
  constexpr uint64_t kHalf = uint64_t{1} << 63;
  if (entry.base == 0 && last == UINT64_MAX) {
    entry.length = kHalf;
    out.push_back(entry);
    entry.base = kHalf;
  }
  entry.length = last - entry.base + 1;
  out.push_back(entry);
}

/// UEFI's types (UEFI Specification 2.10, section 7.2) as INT 15h numbers them.
uint32_t plain_type(uint32_t uefi) {
  static constexpr uint32_t kPlain[] = {2, 1, 1, 1, 1, 2, 2, 1, 5, 3, 4, 2, 2, 2, 7, 2};
  return uefi < std::size(kPlain) ? kPlain[uefi] : 2;
}

} // namespace

bool parse_memory_map(std::string_view text, gen::FirmwareMap& out, std::string* trouble) {
  out = gen::FirmwareMap{};
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (!shows_range(line)) {
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
    add_range(entry, last, out.entries);
  }
  if (out.entries.empty()) {
    *trouble = "There is no range in this text: a line of one reads like '0x1000-0x1fff usable'.\n";
    return false;
  }
  out.blob = gen::encode(out);
  return true;
}

std::string write_memory_map(const gen::FirmwareMap& map) {
  using Wide = unsigned __int128;
  const bool uefi = map.format == gen::MapFormat::kUefi;
  std::string out;
  for (const gen::MapEntry& entry : map.entries) {
    const Wide end = Wide{entry.base} + (Wide{entry.length} << (uefi ? 12 : 0));
    if (end == entry.base || end - 1 > UINT64_MAX) {
      continue;
    }
    const uint32_t type = uefi ? plain_type(entry.type) : entry.type;
    const Word* word = std::find_if(std::begin(kWords), std::end(kWords),
                                    [type](const Word& each) { return each.type == type; });
    append_printf(out, "0x%" PRIx64 "-0x%" PRIx64 " %s\n", entry.base,
                  static_cast<uint64_t>(end - 1),
                  word != std::end(kWords) ? word->text.data() : "reserved");
  }
  return out;
}

} // namespace kiln::targets
