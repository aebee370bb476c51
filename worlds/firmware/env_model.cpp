#include "worlds/firmware/env_model.h"

#include <algorithm>

namespace kiln::worlds {
namespace {

constexpr std::string_view kFirstLine = "# GRUB Environment Block\n";

/// What a line says. `text` has no newline but escaped ones.
EnvModel::Line take_apart(std::string text) {
  EnvModel::Line line;
  const size_t equals = text.find('=');
  if (!text.starts_with('#') && equals != std::string::npos && equals != 0) {
    line.name = text.substr(0, equals);
    for (size_t i = equals + 1; i < text.size(); ++i) {
      i += text[i] == '\\' && i + 1 < text.size() ? 1 : 0;
      line.value += text[i];
    }
  }
  line.text = std::move(text);
  return line;
}

/// Where the line ends that begins at 0: at the first newline that no backslash of a value
/// precedes.
size_t end_of_line(std::string_view rest) {
  bool in_value = false;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '\n') {
      return i;
    }
    in_value = in_value || (rest[i] == '=' && rest.front() != '#');
    if (in_value && rest[i] == '\\' && i + 1 < rest.size()) {
      ++i;
    }
  }
  return std::string_view::npos;
}

std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    out += c == '\\' || c == '\n' ? "\\" : "";
    out += c;
  }
  return out;
}

} // namespace

std::optional<EnvModel> EnvModel::read(std::span<const uint8_t> bytes) {
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!rest.starts_with(kFirstLine)) {
    return std::nullopt;
  }
  EnvModel model;
  model.size_ = bytes.size();
  rest.remove_prefix(kFirstLine.size());
  rest = rest.substr(0, rest.find_last_not_of('#') + 1);
  while (!rest.empty()) {
    const size_t end = end_of_line(rest);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    model.lines_.push_back(take_apart(std::string(rest.substr(0, end))));
    rest.remove_prefix(end + 1);
  }
  return model;
}

std::optional<std::string> EnvModel::get(std::string_view name) const {
  const auto found = std::find_if(lines_.rbegin(), lines_.rend(),
                                  [&](const Line& line) { return line.name == name; });
  return found == lines_.rend() || name.empty() ? std::nullopt : std::optional(found->value);
}

bool EnvModel::set(std::string_view name, std::string_view value) {
  const std::vector<Line> before = lines_;
  const auto first = std::find_if(lines_.begin(), lines_.end(),
                                  [&](const Line& line) { return line.name == name; });
  const auto place = first - lines_.begin();
  std::erase_if(lines_, [&](const Line& line) { return line.name == name; });
  Line line{std::string(name) + "=" + escaped(value), std::string(name), std::string(value)};
  lines_.insert(lines_.begin() + place, std::move(line));
  if (written().size() > size_) {
    lines_ = before;
    return false;
  }
  return true;
}

bool EnvModel::unset(std::string_view name) {
  return !name.empty() &&
         std::erase_if(lines_, [&](const Line& line) { return line.name == name; }) != 0;
}

std::string EnvModel::written() const {
  std::string out(kFirstLine);
  for (const Line& line : lines_) {
    out += line.text + "\n";
  }
  return out;
}

std::string EnvModel::bytes() const {
  std::string out = written();
  out.resize(size_, '#');
  return out;
}

} // namespace kiln::worlds
