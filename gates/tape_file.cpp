// Reading and writing tape files.

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

bool write_whole(const std::string& path, std::string_view text) {
  std::FILE* file = std::fopen(path.c_str(), "wbe");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int first_error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) errno = first_error;
  return written && closed;
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

bool write_tape_file(const std::string& path, std::span<const uint8_t> bytes, TapeFormat format,
                     std::string* error) {
  const std::string text =
      format == TapeFormat::kHex ? to_hex(bytes) : std::string(bytes.begin(), bytes.end());
  const std::string beside = path + ".part";
  if (write_whole(beside, text) && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  *error = failure("write", path);
  std::remove(beside.c_str());
  return false;
}

} // namespace kiln::gates
