#pragma once
// Whole files, up to a size: what a name stands for may be a folder, a device without an end, a
// pipe that nobody writes into, or gone.

#include <cstddef>
#include <optional>
#include <string>

namespace kiln::gates {

/// The whole file, when it has at most `most` bytes; otherwise nothing, and a sentence.
/// `as`: what it should have been ("a tape").
std::optional<std::string> read_file(const std::string& path, size_t most, const char* as,
                                     std::string* error);

} // namespace kiln::gates
