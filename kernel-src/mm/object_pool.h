#pragma once
// A pool of objects of one size: cut from single pages, taken and given back in constant time.
//
//   ObjectPool inodes(cache, {"inode", sizeof(Inode), alignof(Inode)});
//   void* memory = inodes.allocate();          // null when there is no page
//   inodes.free(memory);
//
// Objects have no constructor: contents are undefined. A page whose objects have all come back is
// given to the page cache, but for kKeptEmpty that stay for the next allocation. What is known of a
// page lies in its frame, so objects may fill it to the last byte.
//
// An object is given back once, to its own pool; anything else is a bug and panics.
// Every function: any context but NMI, and with no lock of an allocator held. None waits. The
// pool's lock is not held while a page is allocated or given back.

#include <atomic>
#include <stddef.h>
#include <stdint.h>

#include "kernel-src/mm/page_cache.h"
#include "kernel-src/sync/irq_spin_lock.h"

namespace clay {

class ObjectPool {
 public:
  /// Empty pages that a pool keeps.
  static constexpr size_t kKeptEmpty = 1;
  /// Objects lie this far apart at least.
  static constexpr size_t kLeastStride = 16;

  struct Shape {
    const char* name; ///< static
    size_t size;      ///< of an object: 1 to kPageBytes
    size_t align;     ///< a power of two, at most kPageBytes
  };

  ObjectPool(PageCache& pages, const Shape& shape);
  /// Every object must have come back: one that has not is a leak, and panics.
  ~ObjectPool();
  ObjectPool(const ObjectPool&) = delete;
  ObjectPool& operator=(const ObjectPool&) = delete;

  void* allocate();
  void free(void* object);

  /// Gives all empty pages back, past the page cache; how many.
  size_t trim();

  /// The pool whose object lies at `object`: by its page, which must be a pool's.
  static ObjectPool* owner_of(const PageFrame& page) { return page.pool; }

  const char* name() const { return name_; }
  size_t object_bytes() const { return size_; }
  size_t objects_per_page() const { return per_page_; }
  /// A moment's look: objects handed out, pages that the pool has.
  size_t live() const { return live_.load(std::memory_order_relaxed); }
  size_t pages() const { return page_count_.load(std::memory_order_relaxed); }

 private:
  PageFrame* add_page();
  void return_page(PageFrame& page);
  void* object_at(const PageFrame& page, size_t index) const;
  size_t index_of(const PageFrame& page, const void* object) const;

  // With lock_ held.
  void* take();
  size_t take_bit(PageFrame& page) const;
  void note_taken(PageFrame& page);
  PageFrame* put(PageFrame& page, size_t index);

  PageCache& cache_;
  PageAllocator& allocator_;
  const char* name_;
  const size_t size_;
  const size_t stride_;
  const size_t per_page_;

  IrqSpinLock lock_;
  PageList partial_;                  ///< guarded by lock_: some objects are out, some not
  PageList empty_;                    ///< guarded by lock_: none is out
  size_t empty_count_ = 0;            ///< guarded by lock_; full pages are in no list
  std::atomic<size_t> live_{0};       ///< written with lock_ held
  std::atomic<size_t> page_count_{0}; ///< written with lock_ held
};

} // namespace clay
