// Reading tape files.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>

#include "gates/hex.h"

namespace kiln::gates {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

std::string failure(const char* what, const std::string& path) {
  return fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno));
}

/// The whole file, when it has at most `most` bytes.
std::optional<std::string> read_file(const std::string& path, size_t most, std::string* error) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) {
    *error = failure("open", path);
    return std::nullopt;
  }
  std::string text(most + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    *error = failure("read", path);
    return std::nullopt;
  }
  if (text.size() > most) {
    *error = fmt::format("'{}' is too large for a tape: more than {} bytes", path, most);
    return std::nullopt;
  }
  return text;
}

} // namespace

std::optional<std::vector<uint8_t>> read_tape_file(const std::string& path, TapeFormat format,
                                                   std::string* error) {
  const bool raw = format == TapeFormat::kRaw;
  const std::optional<std::string> text =
      read_file(path, raw ? kLargestTape : kLargestHexFile, error);
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
