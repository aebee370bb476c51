#pragma once
// "Did you mean": the nearest known names to an unknown one.

#include <string>
#include <string_view>
#include <vector>

namespace kiln::gates {

/// Insertions, deletions, replacements and swaps of neighbours from one to the other.
size_t edit_distance(std::string_view from, std::string_view to);

/// The nearest names, best first, at most three; none that shares too little. A name that begins
/// with the unknown one, or has it as its last part ("dhcp" of "net/dhcp"), is near.
std::vector<std::string> nearest(std::string_view unknown, const std::vector<std::string>& known);

/// " Did you mean 'a', 'b' or 'c'?", or "".
std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& known);

/// "a, b, c".
std::string join_words(const std::vector<std::string>& words);

} // namespace kiln::gates
