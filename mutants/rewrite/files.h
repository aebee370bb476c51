#pragma once

#include <optional>
#include <string>

namespace kiln::mutants {

/// All bytes of a file; nothing when it cannot be read.
std::optional<std::string> read_file(const std::string& path);

} // namespace kiln::mutants
