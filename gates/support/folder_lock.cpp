#include "gates/support/folder_lock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace kiln::gates {

std::unique_ptr<FolderLock> FolderLock::take(const std::string& folder, std::string* error) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  std::string path = folder + "/lock";
  int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0) {
    *error = fmt::format("cannot write '{}' ({}): give a folder that can be written to with --out "
                         "DIR.",
                         path, std::strerror(errno));
    return nullptr;
  }
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    *error = errno == EWOULDBLOCK
                 ? fmt::format("another run writes into '{}': wait for its end, or give this one "
                               "another folder with --out DIR.",
                               folder)
                 : fmt::format("cannot lock '{}' ({}): give another folder with --out DIR.", path,
                               std::strerror(errno));
    ::close(file);
    return nullptr;
  }
  return std::unique_ptr<FolderLock>(new FolderLock(file));
}

FolderLock::~FolderLock() { ::close(file_); }

} // namespace kiln::gates
