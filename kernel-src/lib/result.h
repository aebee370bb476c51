#pragma once
// A value or the reason why there is none. The kernel throws nothing: whatever can fail returns a
// Result, and the caller looks or passes the error on.
//
//   Result<Node> find(StringView path) {
//     Bytes name = CLAY_TRY(reader.bytes(16));   // an error returns from find()
//     if (...) return Error::kNotFound;
//     return Node{...};
//   }

#include <concepts>
#include <new>
#include <stdint.h>
#include <type_traits>
#include <utility>

#include "kernel-src/lib/assert.h"

namespace clay {

// X(identifier, "what it means to the caller")
#define CLAY_ERRORS(X)                                                                             \
  X(kInvalid, "an argument or field has a value that is not allowed")                              \
  X(kOutOfRange, "a position or number lies outside its range")                                    \
  X(kOverflow, "a result does not fit its type")                                                   \
  X(kTruncated, "the data ends too early")                                                         \
  X(kCorrupt, "the data contradicts itself")                                                       \
  X(kUnsupported, "correct, but not something the kernel does")                                    \
  X(kNoMemory, "there is no memory for it")                                                        \
  X(kNoSpace, "there is no room for it")                                                           \
  X(kNotFound, "there is no such thing")                                                           \
  X(kExists, "there is one already")                                                               \
  X(kBusy, "it is in use")                                                                         \
  X(kWouldBlock, "it would have to wait")                                                          \
  X(kTimedOut, "the deadline has passed")                                                          \
  X(kCancelled, "it was called off")                                                               \
  X(kClosed, "the other end, or the object, is closed")                                            \
  X(kIo, "the device failed")                                                                      \
  X(kNoDevice, "the device is not there")                                                          \
  X(kReadOnly, "it must not be written")                                                           \
  X(kNotPermitted, "the caller may not do that")                                                   \
  X(kNotDirectory, "a part of the path is not a directory")                                        \
  X(kIsDirectory, "it is a directory")                                                             \
  X(kNotEmpty, "it is not empty")                                                                  \
  X(kNameTooLong, "a name is too long")                                                            \
  X(kTooMany, "a fixed limit on their number is reached")                                          \
  X(kRefused, "the peer refused")                                                                  \
  X(kReset, "the peer broke off")                                                                  \
  X(kUnreachable, "there is no way to the peer")

enum class Error : uint8_t {
#define CLAY_ERROR_ENUM(id, text) id,
  CLAY_ERRORS(CLAY_ERROR_ENUM)
#undef CLAY_ERROR_ENUM
};

/// What an error means, in words, for the log. Never null.
constexpr const char* error_text(Error error) {
  switch (error) {
#define CLAY_ERROR_TEXT(id, text)                                                                  \
  case Error::id:                                                                                  \
    return text;
    CLAY_ERRORS(CLAY_ERROR_TEXT)
#undef CLAY_ERROR_TEXT
  }
  return "an unknown error";
}

/// Either a T or an Error. As cheap to copy and move as T. Asking for the half that is not there is
/// a bug of the kernel and panics. For something that stays where it is, use Result<T*>.
template <typename T = void> class [[nodiscard]] Result {
  static_assert(!std::is_reference_v<T>, "return a pointer: Result<T*>");
  static_assert(!std::is_same_v<std::remove_cv_t<T>, Error>);

 public:
  using Value = T;

  constexpr Result(Error error) : error_(error), ok_(false) {}
  template <typename U = T>
    requires(std::convertible_to<U &&, T> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
             !std::is_same_v<std::remove_cvref_t<U>, Error>)
  constexpr Result(U&& value) : value_(std::forward<U>(value)), ok_(true) {}

  constexpr Result(const Result&)
    requires std::is_trivially_copy_constructible_v<T>
  = default;
  Result(const Result& other)
    requires(!std::is_trivially_copy_constructible_v<T> && std::copy_constructible<T>)
  {
    take_from(other);
  }
  constexpr Result(Result&&)
    requires std::is_trivially_move_constructible_v<T>
  = default;
  Result(Result&& other) noexcept
    requires(!std::is_trivially_move_constructible_v<T>)
  {
    take_from(std::move(other));
  }
  Result& operator=(Result other) noexcept {
    destroy();
    take_from(std::move(other));
    return *this;
  }
  constexpr ~Result()
    requires std::is_trivially_destructible_v<T>
  = default;
  constexpr ~Result() { destroy(); }

  constexpr bool ok() const { return ok_; }
  constexpr Error error() const {
    CLAY_ASSERT(!ok_);
    return error_;
  }
  /// Whether it failed, and for this reason.
  constexpr bool failed_with(Error error) const { return !ok_ && error_ == error; }

  constexpr T& value() & {
    CLAY_ASSERT(ok_);
    return value_;
  }
  constexpr const T& value() const& {
    CLAY_ASSERT(ok_);
    return value_;
  }
  /// Moves the value out.
  constexpr T take() {
    CLAY_ASSERT(ok_);
    return std::move(value_);
  }
  constexpr T value() && { return take(); }
  constexpr T value_or(T fallback) const
    requires std::copy_constructible<T>
  {
    return ok_ ? value_ : std::move(fallback);
  }

 private:
  template <typename Other> void take_from(Other&& other) {
    ok_ = other.ok_;
    if (ok_) {
      new (static_cast<void*>(&value_)) T(std::forward<Other>(other).value_);
    } else {
      new (static_cast<void*>(&error_)) Error(other.error_);
    }
  }
  constexpr void destroy() {
    if (ok_) {
      value_.~T();
    }
  }

  union {
    T value_;
    Error error_;
  };
  bool ok_;
};

/// Success without a value, or an Error: `return {};` is success.
template <> class [[nodiscard]] Result<void> {
 public:
  using Value = void;

  constexpr Result() = default;
  constexpr Result(Error error) : error_(error), ok_(false) {}

  constexpr bool ok() const { return ok_; }
  constexpr Error error() const {
    CLAY_ASSERT(!ok_);
    return error_;
  }
  constexpr bool failed_with(Error error) const { return !ok_ && error_ == error; }
  constexpr void take() const { CLAY_ASSERT(ok_); }

 private:
  Error error_ = Error::kInvalid;
  bool ok_ = true;
};

/// The value of a Result; an error returns from the enclosing function. Usable as an expression,
/// also nested; the enclosing function returns a Result of any type.
#define CLAY_TRY(expression)                                                                       \
  ({                                                                                               \
    auto clay_tried = (expression);                                                                \
    if (!clay_tried.ok()) [[unlikely]] {                                                           \
      return clay_tried.error();                                                                   \
    }                                                                                              \
    clay_tried.take();                                                                             \
  })

} // namespace clay
