#pragma once
// A kernel's answers in the words of the model.

#include <optional>

#include "kernel-src/lib/result.h"
#include "worlds/fs/error.h"

namespace kiln::fs {

worlds::FsError error_of(clay::Error error);

/// Nothing for success.
template <typename T> std::optional<worlds::FsError> failure_of(const clay::Result<T>& result) {
  if (result.ok()) return {};
  return error_of(result.error());
}

inline const char* text_of(std::optional<worlds::FsError> failure) {
  return failure ? worlds::fs_error_text(*failure) : "success";
}

} // namespace kiln::fs
