#pragma once
// An object with static storage that is never destroyed: its destructor is not registered anywhere.
//
//   static constinit Permanent<SpinLock> table_lock{table_class};
//   SpinGuard guard(*table_lock);

#include <utility>

namespace clay {

template <typename T> class Permanent {
 public:
  template <typename... Args>
  constexpr explicit Permanent(Args&&... args) : value_(std::forward<Args>(args)...) {}
  constexpr ~Permanent() {}
  Permanent(const Permanent&) = delete;
  Permanent& operator=(const Permanent&) = delete;

  constexpr T& operator*() { return value_; }
  constexpr T* operator->() { return &value_; }
  constexpr const T& operator*() const { return value_; }
  constexpr const T* operator->() const { return &value_; }

 private:
  union {
    T value_;
  };
};

} // namespace clay
