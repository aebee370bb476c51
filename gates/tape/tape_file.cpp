// Reading tape files.

#include <fmt/format.h>

#include "gates/support/read_file.h"
#include "gates/tape/hex.h"

namespace kiln::gates {

std::optional<std::vector<uint8_t>> read_tape_file(const std::string& path, TapeFormat format,
                                                   std::string* error) {
  const bool raw = format == TapeFormat::kRaw;
  const std::optional<std::string> text =
      read_file(path, raw ? kLargestTape : kLargestHexFile, "a tape", error);
  if (!text) return std::nullopt;
  if (raw) return std::vector<uint8_t>(text->begin(), text->end());
  std::optional<std::vector<uint8_t>> bytes = parse_hex(*text, error);
  if (!bytes) {
    *error = fmt::format("'{}', {}", path, *error);
  } else if (bytes->size() > kLargestTape) {
    *error = fmt::format("'{}' is too large for a tape: more than {} bytes", path, kLargestTape);
    return std::nullopt;
  }
  return bytes;
}

} // namespace kiln::gates
