#pragma once
// What an operation on a filesystem may be answered with, in the model's words: the kernel's errors
// by the same names. A target translates (targets/fs/answer.h).

#include <cstdint>
#include <string>

namespace kiln::worlds {

// X(identifier): those that a kernel has by the same names
#define KILN_FS_KERNEL_ERRORS(X)                                                                   \
  X(kInvalid)                                                                                      \
  X(kOverflow)                                                                                     \
  X(kNoMemory)                                                                                     \
  X(kNoSpace)                                                                                      \
  X(kNotFound)                                                                                     \
  X(kExists)                                                                                       \
  X(kBusy)                                                                                         \
  X(kIo)                                                                                           \
  X(kTimedOut)                                                                                     \
  X(kNoDevice)                                                                                     \
  X(kCorrupt)                                                                                      \
  X(kReadOnly)                                                                                     \
  X(kNotPermitted)                                                                                 \
  X(kNotDirectory)                                                                                 \
  X(kIsDirectory)                                                                                  \
  X(kNotEmpty)                                                                                     \
  X(kNameTooLong)                                                                                  \
  X(kTooMany)                                                                                      \
  X(kUnsupported)
// All. kOther: one that no filesystem may answer with.
#define KILN_FS_ERRORS(X)                                                                          \
  KILN_FS_KERNEL_ERRORS(X)                                                                         \
  X(kOther)

enum class FsError : uint8_t {
#define KILN_FS_ERROR_ENUM(id) id,
  KILN_FS_ERRORS(KILN_FS_ERROR_ENUM)
#undef KILN_FS_ERROR_ENUM
};
const char* fs_error_text(FsError error);

/// A set of errors.
class FsErrors {
 public:
  constexpr FsErrors() = default;
  constexpr FsErrors(FsError error) : bits_(uint32_t{1} << static_cast<uint8_t>(error)) {}

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(FsError error) const { return (bits_ & FsErrors(error).bits_) != 0; }
  constexpr FsErrors operator|(FsErrors other) const {
    FsErrors both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  constexpr FsErrors& operator|=(FsErrors other) { return *this = *this | other; }
  constexpr bool operator==(const FsErrors&) const = default;
  /// "success", "kExists or kReadOnly".
  std::string text() const;

 private:
  uint32_t bits_ = 0;
};

} // namespace kiln::worlds
