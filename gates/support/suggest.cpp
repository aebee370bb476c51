#include "gates/support/suggest.h"

#include <algorithm>

namespace kiln::gates {

namespace {

constexpr size_t kMostSuggestions = 3;
constexpr size_t kFar = SIZE_MAX;

// 0 is best; kFar: not worth naming.
size_t score(std::string_view unknown, std::string_view name) {
  if (unknown.empty()) return kFar;
  size_t distance = edit_distance(unknown, name);
  size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) {
    distance = std::min(distance, edit_distance(unknown, name.substr(slash + 1)) + 1);
  }
  if (name.starts_with(unknown) || name.ends_with(unknown))
    distance = std::min<size_t>(distance, 1);
  size_t tolerated = std::max<size_t>(1, unknown.size() / 3);
  return distance <= tolerated ? distance : kFar;
}

} // namespace

size_t edit_distance(std::string_view from, std::string_view to) {
  size_t width = to.size() + 1;
  std::vector<size_t> before_last(width), last(width), row(width);
  for (size_t j = 0; j < width; ++j)
    last[j] = j;
  for (size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j < width; ++j) {
      size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[to.size()];
}

std::vector<std::string> nearest(std::string_view unknown, const std::vector<std::string>& known) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string& name : known) {
    if (size_t distance = score(unknown, name); distance != kFar)
      ranked.emplace_back(distance, name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (const auto& [distance, name] : ranked) {
    if (names.size() < kMostSuggestions) names.push_back(name);
  }
  return names;
}

std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& known) {
  std::vector<std::string> names = nearest(unknown, known);
  if (names.empty()) return "";
  std::string text = " Did you mean ";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + names[i] + "'";
  }
  return text + "?";
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

} // namespace kiln::gates
