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
  std::string out(value);
  for (size_t i = out.find_first_of("\\\n"); i != std::string::npos;
       i = out.find_first_of("\\\n", i + 2)) {
    out.insert(i, 1, '\\');
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
  model.used_ = kFirstLine.size() + rest.size();
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

bool EnvModel::can_name(std::string_view name) {
  constexpr std::string_view kNever("=\n\\\0", 4);
  return !name.empty() && !name.starts_with('#') && name.find_first_of(kNever) == name.npos;
}

std::optional<std::string> EnvModel::get(std::string_view name) const {
  const auto found = std::find_if(lines_.rbegin(), lines_.rend(),
                                  [&](const Line& line) { return line.name == name; });
  return found == lines_.rend() || name.empty() ? std::nullopt : std::optional(found->value);
}

bool EnvModel::set(std::string_view name, std::string_view value) {
  Line line{std::string(name) + "=" + escaped(value), std::string(name), std::string(value)};
  const auto is_old = [&](const Line& other) { return other.name == name; };
  size_t used = used_ + line.text.size() + 1;
  for (const Line& old : lines_) {
    used -= is_old(old) ? old.text.size() + 1 : 0;
  }
  if (used > size_) {
    return false;
  }
  used_ = used;
  const auto place = std::find_if(lines_.begin(), lines_.end(), is_old) - lines_.begin();
  std::erase_if(lines_, is_old);
  lines_.insert(lines_.begin() + place, std::move(line));
  return true;
}

bool EnvModel::unset(std::string_view name) {
  const size_t before = lines_.size();
  std::erase_if(lines_, [&](const Line& line) {
    const bool goes = !name.empty() && line.name == name;
    used_ -= goes ? line.text.size() + 1 : 0;
    return goes;
  });
  return lines_.size() != before;
}

bool EnvModel::is(std::span<const uint8_t> bytes) const {
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (rest.size() != size_ || !rest.starts_with(kFirstLine)) {
    return false;
  }
  rest.remove_prefix(kFirstLine.size());
  for (const Line& line : lines_) {
    const size_t end = line.text.size();
    if (!rest.starts_with(line.text) || end == rest.size() || rest[end] != '\n') {
      return false;
    }
    rest.remove_prefix(end + 1);
  }
  // All of it is '#': so is the first byte, and each is the one before it.
  return rest.empty() || (rest.front() == '#' && rest.substr(1) == rest.substr(0, rest.size() - 1));
}

} // namespace kiln::worlds
