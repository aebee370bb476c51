#include "gates/support/read_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::gates {
namespace {

constexpr size_t kPiece = size_t{1} << 16;

/// Closes when it goes.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

std::string failure(const char* what, const std::string& path) {
  return fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno));
}

bool is_pipe(int file) {
  struct stat status{};
  return fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
}

/// "64 MiB", or bytes where they are no whole number of these.
std::string size_in_words(size_t bytes) {
  constexpr size_t kMebibyte = size_t{1} << 20;
  return bytes != 0 && bytes % kMebibyte == 0 ? fmt::format("{} MiB", bytes / kMebibyte)
                                              : fmt::format("{} bytes", bytes);
}

/// Up to `most` bytes and at least one more, if there are so many; false when errno says why not.
bool read_up_to(int file, size_t most, std::string* text) {
  for (size_t had = 0; had <= most;) {
    text->resize(had + kPiece);
    ssize_t got = read(file, text->data() + had, kPiece);
    if (got < 0 && errno == EINTR) continue;
    had += got > 0 ? static_cast<size_t>(got) : 0;
    text->resize(had);
    if (got <= 0) return got == 0;
  }
  return true;
}

} // namespace

std::optional<std::string> read_file(const std::string& path, size_t most, const char* as,
                                     std::string* error) {
  // Without O_NONBLOCK opening a pipe waits for whoever writes into it.
  Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  std::string text;
  if (file.number < 0) {
    *error = failure("open", path);
  } else if (is_pipe(file.number)) {
    *error = fmt::format("'{}' is a pipe, and {} is read from a file: write it into one", path, as);
  } else if (!read_up_to(file.number, most, &text)) {
    *error = failure("read", path);
  } else if (text.size() > most) {
    *error = fmt::format("'{}' is too large for {}: more than {}", path, as, size_in_words(most));
  } else {
    return text;
  }
  return std::nullopt;
}

} // namespace kiln::gates
