#pragma once
// Pieces of text, whatever they say.

#include <optional>
#include <string>
#include <string_view>

namespace kiln::mutants {

/// Without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Source of C++: comments left out, white space as single blanks. Nothing when
/// it cannot be: a directive, a raw string of several lines.
std::optional<std::string> one_line(const std::string& text);

} // namespace kiln::mutants
