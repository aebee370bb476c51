#include "gates/support/read_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>

namespace kiln::gates {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

constexpr size_t kPiece = size_t{1} << 16;

std::string failure(const char* what, const std::string& path) {
  return fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno));
}

} // namespace

std::optional<std::string> read_file(const std::string& path, size_t most, const char* as,
                                     std::string* error) {
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) {
    *error = failure("open", path);
    return std::nullopt;
  }
  std::string text;
  for (size_t had = 0, got = kPiece; got == kPiece && had <= most; had += got) {
    text.resize(had + kPiece);
    got = std::fread(text.data() + had, 1, kPiece, file.get());
    text.resize(had + got);
  }
  if (std::ferror(file.get()) != 0) {
    *error = failure("read", path);
    return std::nullopt;
  }
  if (text.size() > most) {
    *error = fmt::format("'{}' is too large for {}: more than {} bytes", path, as, most);
    return std::nullopt;
  }
  return text;
}

} // namespace kiln::gates
