#pragma once
// Counted references: an object lives as long as somebody refers to it.
//
//   class Inode : public RefCounted<Inode> { ... };
//   Ref<Inode> inode = CLAY_TRY(make_ref<Inode>(kHalAllocMayWait, number));
//   Ref<Inode> another = inode;
//
// Counting: any context but NMI. The last reference ends the object where it is dropped, so its
// destructor must be fit for every such place.

#include <atomic>
#include <stdint.h>
#include <utility>

#include "kernel-src/hal/annotate.h"
#include "kernel-src/lib/assert.h"
#include "kernel-src/lib/result.h"
#include "kernel-src/task/heap.h"

namespace clay {

/// Base of T, which make_ref() or heap_new() made; begins with one reference.
template <typename T> class RefCounted {
 public:
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  /// One more reference; the caller has one already.
  void add_ref() {
    // Relaxed: what the caller knows of the object it knows from its own reference.
    const uint32_t before = count_.fetch_add(1, std::memory_order_relaxed);
    CLAY_ASSERT(before != 0 && before < kMost);
    hal_resource_taken(kHalReference, this);
  }

  /// One more reference for somebody who has none, but can still reach the object: under the lock
  /// of a table, say. False when the last one has been dropped already.
  [[nodiscard]] bool try_add_ref() {
    uint32_t count = count_.load(std::memory_order_relaxed);
    do {
      if (count == 0) {
        return false;
      }
    } while (!count_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed,
                                           std::memory_order_relaxed));
    hal_resource_taken(kHalReference, this);
    return true;
  }

  /// One less; the object is gone with the last.
  void drop_ref() {
    hal_resource_returned(kHalReference, this);
    // Release: what was done through this reference comes before the end of the object, which
    // whoever drops the last one sees by the acquire.
    const uint32_t before = count_.fetch_sub(1, std::memory_order_release);
    CLAY_ASSERT(before != 0);
    if (before == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);
      heap_delete(static_cast<T*>(this));
    }
  }

  /// For assertions and reports: it may have changed by the time it is read.
  uint32_t ref_count() const { return count_.load(std::memory_order_relaxed); }

 protected:
  RefCounted() { hal_resource_taken(kHalReference, this); }
  ~RefCounted() = default;

 private:
  static constexpr uint32_t kMost = UINT32_MAX / 2;
  std::atomic<uint32_t> count_{1};
};

/// One reference to a T, or none.
template <typename T> class Ref {
 public:
  constexpr Ref() = default;
  /// A reference more to what the caller holds one to.
  explicit Ref(T& object) : object_(&object) { object.add_ref(); }
  Ref(const Ref& other) : object_(other.object_) {
    if (object_ != nullptr) {
      object_->add_ref();
    }
  }
  constexpr Ref(Ref&& other) noexcept : object_(other.leak()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { reset(); }

  /// Takes over a reference that the caller has.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

  constexpr explicit operator bool() const { return object_ != nullptr; }
  constexpr T* get() const { return object_; }
  constexpr T& operator*() const { return *object_; }
  constexpr T* operator->() const { return object_; }

  /// Gives the reference up without dropping it; the caller has it.
  constexpr T* leak() { return std::exchange(object_, nullptr); }
  void reset() {
    if (T* object = leak()) {
      object->drop_ref();
    }
  }

 private:
  T* object_ = nullptr;
};

/// A new T with one reference.
template <typename T, typename... Args> Result<Ref<T>> make_ref(HalAlloc how, Args&&... args) {
  T* object = heap_new<T>(how, std::forward<Args>(args)...);
  if (object == nullptr) {
    return Error::kNoMemory;
  }
  return Ref<T>::adopt(object);
}

} // namespace clay
