#include "kernel-src/fs/file.h"

namespace clay {
namespace {

constinit LockClass file_offset_class{"file-offset"};

/// Passes entries on, and remembers where to go on.
class Bookmark final : public DirectoryVisitor {
 public:
  Bookmark(DirectoryVisitor& visitor, uint64_t& next) : visitor_(visitor), next_(next) {}
  bool entry(const Entry& entry) override {
    next_ = entry.next;
    return visitor_.entry(entry);
  }

 private:
  DirectoryVisitor& visitor_;
  uint64_t& next_;
};

} // namespace

File::File(uint32_t flags) : flags_(flags), offset_(file_offset_class, uint64_t{0}) {}

Result<> File::may_write() const {
  if ((flags_ & kOpenWrite) == 0) {
    return Error::kNotPermitted;
  }
  return place_.mount().read_only() ? Error::kReadOnly : Result<>();
}

Result<size_t> File::read_from(uint64_t offset, MutableBytes into) {
  if ((flags_ & kOpenRead) == 0) {
    return Error::kNotPermitted;
  }
  return node().read(offset, into);
}

Result<size_t> File::read_on(MutableBytes into) {
  return offset_.with([&](uint64_t& at) -> Result<size_t> {
    const size_t size = CLAY_TRY(read_from(at, into));
    at += size;
    return size;
  });
}

Result<> File::write_to(uint64_t offset, Bytes from) {
  CLAY_TRY(may_write());
  MutexGuard guard(node().write_lock_);
  return node().write(offset, from);
}

Result<> File::write_on(Bytes from) {
  CLAY_TRY(may_write());
  return offset_.with([&](uint64_t& at) -> Result<> {
    MutexGuard guard(node().write_lock_);
    const uint64_t begin = (flags_ & kOpenAppend) != 0 ? node().stat().bytes : at;
    CLAY_TRY(node().write(begin, from));
    at = begin + from.size(); // no file is longer than that
    return {};
  });
}

Result<> File::resize_node(const Place& place, uint64_t bytes) {
  if (place.mount().read_only()) {
    return Error::kReadOnly;
  }
  MutexGuard guard(place.node().write_lock_);
  return place.node().truncate(bytes);
}

Result<> File::resize(uint64_t bytes) {
  CLAY_TRY(may_write());
  return resize_node(place_, bytes);
}

Result<> File::list_on(DirectoryVisitor& visitor) {
  return offset_.with([&](uint64_t& at) -> Result<> {
    uint64_t next = at;
    Bookmark bookmark(visitor, next);
    CLAY_TRY(node().list(at, bookmark));
    at = next;
    return {};
  });
}

} // namespace clay
