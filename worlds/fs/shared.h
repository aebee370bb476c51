#pragma once
// A value that copies share until one of them changes it. Not for several threads: the count is
// plain, so that copying is no scheduling point.

#include <cstdint>
#include <utility>

namespace kiln::worlds {

template <typename T> class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : box_(new Box{std::move(value), 1}) {}
  Shared(const Shared& other) : box_(other.box_) {
    if (box_ != nullptr) ++box_->users;
  }
  Shared(Shared&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~Shared() {
    if (box_ != nullptr && --box_->users == 0) delete box_;
  }

  explicit operator bool() const { return box_ != nullptr; }
  const T& operator*() const { return box_->value; }
  const T* operator->() const { return &box_->value; }
  /// Whether both are copies of one value that neither has changed since.
  bool same(const Shared& other) const { return box_ == other.box_; }

  /// The value, nobody else's from now on.
  T& change() {
    if (box_->users > 1) *this = Shared(T(box_->value));
    return box_->value;
  }

 private:
  struct Box {
    T value;
    uint32_t users;
  };
  Box* box_ = nullptr;
};

} // namespace kiln::worlds
