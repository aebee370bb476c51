#pragma once
// A folder that one process has for itself: two that write the same files there would spoil them.

#include <memory>
#include <string>

namespace kiln::gates {

/// Held while it lives; the host lets it go with the process, however that ends.
class FolderLock {
 public:
  /// Makes the folder. Null and one sentence when another process has it, or it cannot be had.
  static std::unique_ptr<FolderLock> take(const std::string& folder, std::string* error);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_;
};

} // namespace kiln::gates
