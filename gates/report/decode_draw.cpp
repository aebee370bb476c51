#include "gates/report/decode_draw.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln::gates {
namespace {

using sim::DrawKind;

std::string number(uint64_t value) {
  return value < 256 ? fmt::format("{}", value) : fmt::format("{} (0x{:x})", value, value);
}

bool printable(uint8_t byte) { return byte >= 0x20 && byte < 0x7F; }

} // namespace

std::string draw_asked(const sim::DrawRecord& draw) {
  const sim::DrawShape& shape = draw.shape;
  switch (shape.kind) {
  case DrawKind::kBits:
    return fmt::format("u{}", 8 * draw.width);
  case DrawKind::kBelow:
    return fmt::format("below {}", shape.last);
  case DrawKind::kBetween:
    return fmt::format("{} to {}", shape.first, shape.last);
  case DrawKind::kBoolean:
    return "yes or no";
  case DrawKind::kChance:
    return fmt::format("chance {} in {}", shape.first, shape.last);
  case DrawKind::kRare:
    return "chance 1 in 4096";
  case DrawKind::kPick:
    return fmt::format("one of {}", shape.last);
  case DrawKind::kWeighted:
    return fmt::format("one of {}, weighted", shape.last);
  case DrawKind::kEdge:
    return fmt::format("edge of {} bits", 8 * (draw.width - 1));
  case DrawKind::kByte:
    return "byte";
  case DrawKind::kNoise:
    return fmt::format("noise for {} bytes", shape.last);
  }
  return "";
}

std::string draw_came(const sim::DrawRecord& draw) {
  switch (draw.shape.kind) {
  case DrawKind::kBoolean:
  case DrawKind::kChance:
  case DrawKind::kRare:
    return draw.value != 0 ? "yes" : "no";
  case DrawKind::kPick:
  case DrawKind::kWeighted:
    return fmt::format("[{}]", draw.value);
  default:
    return number(draw.value);
  }
}

std::string bytes_in_words(std::span<const uint8_t> bytes) {
  std::string words = fmt::format("{:02x}", fmt::join(bytes, " "));
  if (!bytes.empty() && std::all_of(bytes.begin(), bytes.end(), printable)) {
    words += fmt::format("  \"{}\"", std::string(bytes.begin(), bytes.end()));
  }
  return words;
}

} // namespace kiln::gates
