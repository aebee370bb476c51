#pragma once
// Objects on the kernel's heap. Creation can fail, and says so; an owner gives the memory back.
//
//   Box<Packet> packet = CLAY_TRY(make_box<Packet>(kHalAllocMayWait, length));
//   packet->send();                  // the destructor runs when `packet` goes out of scope
//
// kHalAllocMayWait only where waiting is allowed. Giving back never waits: any context but NMI.

#include <new>
#include <stddef.h>
#include <utility>

#include "kernel-src/hal/memory.h"
#include "kernel-src/lib/result.h"

namespace clay {

/// A T made of `args`; null when there is no memory.
template <typename T, typename... Args> T* heap_new(HalAlloc how, Args&&... args) {
  void* block = hal_alloc(sizeof(T), alignof(T), how);
  if (block == nullptr) {
    return nullptr;
  }
  return new (block) T(std::forward<Args>(args)...);
}

/// Ends what heap_new made; null is ignored. T must be the type that was made.
template <typename T> void heap_delete(T* object) {
  if (object != nullptr) {
    object->~T();
    hal_free(object);
  }
}

/// The one owner of an object on the heap, or of none.
template <typename T> class Box {
 public:
  constexpr Box() = default;
  /// Takes over what heap_new made.
  constexpr explicit Box(T* object) : object_(object) {}
  constexpr Box(Box&& other) noexcept : object_(other.leak()) {}
  Box& operator=(Box&& other) noexcept {
    if (this != &other) {
      reset(other.leak());
    }
    return *this;
  }
  ~Box() { heap_delete(object_); }

  constexpr explicit operator bool() const { return object_ != nullptr; }
  constexpr T* get() const { return object_; }
  constexpr T& operator*() const { return *object_; }
  constexpr T* operator->() const { return object_; }

  /// Gives the object up; the caller owns it.
  constexpr T* leak() { return std::exchange(object_, nullptr); }
  void reset(T* object = nullptr) { heap_delete(std::exchange(object_, object)); }

 private:
  T* object_ = nullptr;
};

template <typename T, typename... Args> Result<Box<T>> make_box(HalAlloc how, Args&&... args) {
  T* object = heap_new<T>(how, std::forward<Args>(args)...);
  if (object == nullptr) {
    return Error::kNoMemory;
  }
  return Box<T>(object);
}

} // namespace clay
