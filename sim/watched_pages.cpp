#include "sim/watched_pages.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

#include "sim/sanitizer.h"

namespace kiln::sim {

void WatchedPages::set(char* at, size_t bytes, const char* copy) {
  if (bytes > kMostPages * kPage || reinterpret_cast<uintptr_t>(at) % kPage != 0) {
    abort();
  }
  at_ = at;
  bytes_ = bytes;
  copy_ = copy;
  watching_ = false;
  open_count_ = (bytes + kPage - 1) / kPage;
  for (size_t i = 0; i < open_count_; ++i) {
    open_[i] = static_cast<uint16_t>(i);
  }
}

bool WatchedPages::watch() {
  if (mprotect(at_, bytes_, PROT_READ) != 0) {
    return false;
  }
  watching_ = true;
  open_count_ = 0;
  return true;
}

bool WatchedPages::open(uintptr_t address) {
  const auto first = reinterpret_cast<uintptr_t>(at_);
  if (!watching_ || address < first || address >= first + bytes_) {
    return false;
  }
  const size_t page = (address - first) / kPage;
  const bool is_open = std::find(open_, open_ + open_count_, page) != open_ + open_count_;
  if (is_open || mprotect(at_ + page * kPage, kPage, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  open_[open_count_++] = static_cast<uint16_t>(page);
  return true;
}

void WatchedPages::restore() const {
  for (size_t i = 0; i < open_count_; ++i) {
    const size_t from = open_[i] * kPage;
    raw_copy(at_ + from, copy_ + from, std::min(kPage, bytes_ - from));
  }
}

} // namespace kiln::sim
