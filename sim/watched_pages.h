#pragma once
// Memory of which a reset copies back only what was ever written: its pages are read-only until
// their first write, which faults once. What a kernel and a hundred targets keep in .data and .bss
// then costs nothing as long as nobody touches it. Internal to sim/.

#include <cstddef>
#include <cstdint>

namespace kiln::sim {

class WatchedPages {
 public:
  static constexpr size_t kPage = 4096;

  /// `at` lies on a page's edge; nobody else's memory follows on the last page. `copy` holds what a
  /// restore puts back. All pages count as written until `watch`.
  void set(char* at, size_t bytes, const char* copy);
  /// Makes the pages read-only. False when the host refuses: they stay as they were.
  bool watch();
  /// A write to `address` faulted. True: it was the first one to a watched page, which is open now
  /// for good. Usable in a signal handler.
  bool open(uintptr_t address);
  void restore() const;

 private:
  static constexpr size_t kMostPages = 1024;
  char* at_ = nullptr;
  size_t bytes_ = 0;
  const char* copy_ = nullptr;
  uint16_t open_[kMostPages]; ///< numbers of the pages to copy, in the order of their first writes
  size_t open_count_ = 0;
  bool watching_ = false;
};

} // namespace kiln::sim
