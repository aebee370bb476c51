#include "kernel-src/fs/walk.h"

#include "kernel-src/hal/bytes.h"

namespace clay {
namespace {

Result<> check_name(StringView name) {
  if (name.size() > kNameBytes) {
    return Error::kNameTooLong;
  }
  return name.find('\0') != StringView::kNotFound ? Error::kInvalid : Result<>();
}

StringView without_slashes(StringView text) {
  while (!text.empty() && text[0] == '/') {
    text = text.from(1);
  }
  return text;
}

} // namespace

Result<> Walk::begin(const Place& from, StringView path) {
  if (path.empty()) {
    return Error::kNotFound;
  }
  if (path.size() > kPathBytes) {
    return Error::kNameTooLong;
  }
  at_ = path[0] == '/' ? mounts_.root() : from;
  rest_ = path;
  return at_.node().kind() == NodeKind::kDirectory ? Result<>() : Error::kNotDirectory;
}

bool Walk::last_is_name() const { return !last_.empty() && last_ != "." && last_ != ".."; }

/// Cuts the next component off; empty when none is left.
Result<StringView> Walk::next_component() {
  rest_ = without_slashes(rest_);
  const size_t end = rest_.find('/');
  const StringView name = end == StringView::kNotFound ? rest_ : rest_.first(end);
  rest_ = rest_.from(name.size());
  CLAY_TRY(check_name(name));
  return name;
}

Result<> Walk::to_last() {
  for (;;) {
    last_ = CLAY_TRY(next_component());
    if (without_slashes(rest_).empty()) {
      return {};
    }
    CLAY_TRY(step(last_));
  }
}

/// Past a component that has something behind it.
Result<> Walk::step(StringView name) {
  if (name == ".") {
    return {};
  }
  if (name == "..") {
    at_ = CLAY_TRY(mounts_.above(at_));
    return {};
  }
  Ref<Node> found = CLAY_TRY(at_.node().lookup(name));
  if (found->kind() == NodeKind::kSymlink) {
    return follow(std::move(found));
  }
  if (found->kind() != NodeKind::kDirectory) {
    return Error::kNotDirectory;
  }
  at_ = mounts_.cross(at_.beside(std::move(found)));
  return {};
}

/// The symlink is let go before its mount, which the walk may leave.
Result<> Walk::follow(Ref<Node> link) {
  CLAY_TRY(put_in_front(std::move(link)));
  if (rest_[0] == '/') {
    at_ = mounts_.root();
  }
  return {};
}

/// Puts a symlink's target in front of the rest.
Result<> Walk::put_in_front(Ref<Node> link) {
  if (++links_ > kMostLinks) {
    return Error::kTooMany;
  }
  if (!text_) {
    text_ = CLAY_TRY(make_box<Text>(kHalAllocMayWait));
  }
  char* const end = text_->bytes + kPathBytes;
  char* const behind = end - rest_.size();
  memmove(behind, rest_.data(), rest_.size());
  const auto room = static_cast<size_t>(behind - text_->bytes);
  const size_t length = CLAY_TRY(link->read_link({reinterpret_cast<uint8_t*>(text_->bytes), room}));
  if (length > room) {
    return Error::kNameTooLong;
  }
  if (length == 0) {
    return Error::kNotFound;
  }
  memmove(behind - length, text_->bytes, length);
  rest_ = StringView(behind - length, length + rest_.size());
  return {};
}

Result<> Walk::follow_last(Ref<Node> link) {
  CLAY_TRY(follow(std::move(link)));
  return to_last();
}

Result<Place> Walk::land(Ref<Node> node) {
  const bool directory = node->kind() == NodeKind::kDirectory;
  if (!directory && slash_behind()) {
    return Error::kNotDirectory;
  }
  Place place = at_.beside(std::move(node));
  return directory ? mounts_.cross(std::move(place)) : std::move(place);
}

Result<Place> Walk::arrive(bool follow) {
  while (last_is_name()) {
    Ref<Node> found = CLAY_TRY(at_.node().lookup(last_));
    if (found->kind() != NodeKind::kSymlink || (!follow && !slash_behind())) {
      return land(std::move(found));
    }
    CLAY_TRY(follow_last(std::move(found)));
  }
  return arrive_without_name();
}

Result<Place> Walk::arrive_without_name() { return last_ == ".." ? mounts_.above(at_) : at_; }

} // namespace clay
