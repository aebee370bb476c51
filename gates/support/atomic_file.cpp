#include "gates/support/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace kiln::gates {
namespace {

const char* remedy(int error) {
  switch (error) {
  case ENOSPC:
  case EDQUOT:
    return "; free some space there or choose another folder";
  case EACCES:
  case EPERM:
  case EROFS:
    return "; make the folder writable or choose another one";
  case ENOTDIR:
  case EEXIST:
    return "; a file is in the way of the folder";
  case ENXIO:
    return "; nobody reads from it";
  default:
    return "";
  }
}

std::string sentence(const char* what, const std::string& path, int error) {
  return fmt::format("cannot {} '{}': {}{}", what, path, std::strerror(error), remedy(error));
}

/// All of it, to the disk; errno says why not.
bool write_and_sync(int fd, std::string_view content) {
  while (!content.empty()) {
    ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return fsync(fd) == 0 || errno == EINVAL || errno == EROFS; // pipes and such cannot sync
}

bool make_folder(const std::string& path, std::string* error) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) return true;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) *error = sentence("make the folder", folder.string(), code.value());
  return !code;
}

std::string beside_of(const std::string& path) { return fmt::format("{}.part{}", path, getpid()); }

bool is_special(const std::string& path) {
  std::error_code code;
  auto status = std::filesystem::status(path, code);
  return !code && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

// A pipe without a reader is an error and nothing to wait for; with one, writing may take its time.
int open_special(const std::string& path) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) fcntl(fd, F_SETFL, O_WRONLY);
  return fd;
}

} // namespace

bool can_write_file(const std::string& path, std::string* error) {
  if (!make_folder(path, error)) return false;
  std::error_code code;
  bool is_folder = path.ends_with('/') || std::filesystem::is_directory(path, code);
  bool done = false;
  if (is_folder) {
    errno = EISDIR;
  } else if (is_special(path)) {
    done = access(path.c_str(), W_OK) == 0;
  } else {
    std::string beside = beside_of(path);
    int fd = open(beside.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT, 0644);
    done = fd >= 0;
    if (done) close(fd);
    if (done) std::remove(beside.c_str());
  }
  if (!done) *error = sentence("write", path, errno);
  return done;
}

bool write_file_atomically(const std::string& path, std::string_view content, std::string* error) {
  if (!make_folder(path, error)) return false;
  // /dev/stdout and pipes are written to, never replaced.
  bool in_place = is_special(path);
  std::string beside = in_place ? path : beside_of(path);
  int fd = in_place ? open_special(path)
                    : open(beside.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) {
    *error = sentence("write", path, errno);
    return false;
  }
  bool done = write_and_sync(fd, content);
  int first_error = errno;
  if (close(fd) != 0 && done) {
    done = false;
    first_error = errno;
  }
  if (done && !in_place && std::rename(beside.c_str(), path.c_str()) != 0) {
    done = false;
    first_error = errno;
  }
  if (done) return true;
  if (!in_place) std::remove(beside.c_str());
  *error = sentence("write", path, first_error);
  return false;
}

} // namespace kiln::gates
