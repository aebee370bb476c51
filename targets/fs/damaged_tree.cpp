#include "targets/fs/damaged_tree.h"

#include <algorithm>
#include <cstring>

#include "sim/machine.h"

namespace kiln::fs {
namespace {

using clay::Error;
using clay::Node;
using clay::NodeKind;
using clay::NodeStat;
using clay::Ref;
using clay::Result;
using worlds::ext2::FileKind;
using worlds::ext2::InodeFacts;

constexpr uint64_t kWhole = 24 * 1024; ///< files up to here are read from end to end
constexpr size_t kPiece = 4096;        ///< of larger ones, at each place

NodeKind kind_of(FileKind kind) {
  switch (kind) {
  case FileKind::kFile:
    return NodeKind::kFile;
  case FileKind::kDirectory:
    return NodeKind::kDirectory;
  case FileKind::kSymlink:
    return NodeKind::kSymlink;
  default:
    return NodeKind::kOther;
  }
}

const char* name_of(NodeKind kind) {
  constexpr const char* kNames[] = {"file", "directory", "symlink", "other"};
  return kNames[static_cast<size_t>(kind)];
}

clay::StringView view_of(const std::string& text) { return {text.data(), text.size()}; }

unsigned long long wide(uint64_t value) { return value; }

/// What a call that changes something may say of a filesystem in order.
bool is_refusal(Error error) {
  constexpr Error kRefusals[] = {
      Error::kNoSpace,      Error::kExists,   Error::kNotFound,    Error::kNotEmpty,
      Error::kNotDirectory, Error::kInvalid,  Error::kIsDirectory, Error::kNotPermitted,
      Error::kTooMany,      Error::kOverflow, Error::kNameTooLong,
  };
  return std::find(std::begin(kRefusals), std::end(kRefusals), error) != std::end(kRefusals);
}

} // namespace

// --- Honesty

void Honesty::note(Error error, const char* what, const std::string& path) {
  if (error != Error::kCorrupt) return;
  KILN_CHECK(!sound_, "%s of '%s': a sound image is called corrupt", what, path.c_str());
  KILN_CHECK(fs_.read_only(), "%s of '%s' met what is corrupt, and writing goes on", what,
             path.c_str());
  corrupt_ = true;
  constexpr size_t kMost = 8;
  if (met_.size() < kMost) met_.push_back(std::string(what) + " of '" + path + "'");
}

bool Honesty::reads(const Result<>& result, const char* what, const std::string& path) {
  if (result.ok()) return true;
  const Error error = result.error();
  if (error == Error::kNoDevice && may_lose_device_) return false;
  note(error, what, path);
  KILN_CHECK(error == Error::kCorrupt || (error == Error::kNoMemory && starved_),
             "%s of '%s' fails: %s", what, path.c_str(), clay::error_text(error));
  return false;
}

bool Honesty::changes(const Result<>& result, const char* what, const std::string& path) {
  if (result.ok()) {
    KILN_CHECK(!corrupt_, "%s of '%s' succeeds after something was found corrupt", what,
               path.c_str());
    return true;
  }
  const Error error = result.error();
  if (error == Error::kNoDevice && may_lose_device_) return false;
  note(error, what, path);
  const bool expected = is_refusal(error) || error == Error::kCorrupt ||
                        (error == Error::kReadOnly && fs_.read_only()) ||
                        (error == Error::kNoMemory && starved_);
  KILN_CHECK(expected, "%s of '%s' fails: %s", what, path.c_str(), clay::error_text(error));
  return false;
}

// --- The tree

void DamagedTree::look() {
  Result<Ref<Node>> root = fs_.root();
  if (!honesty_.reads(root, "the root", "/")) return;
  directories_.push_back({root.take(), ""});
  look_at(*directories_[0].node, "/");
  entered_.push_back(directories_[0].node->stat().number);
  for (size_t i = 0; i < directories_.size(); ++i)
    look_into(i);
}

void DamagedTree::look_into(size_t directory) {
  std::vector<Listed> entries;
  const bool listed = list(directory, entries);
  if (listed && reader_ != nullptr) compare_entries(directory, entries);
  for (const Listed& entry : entries) {
    if (names_.size() >= kMostNames) return;
    const std::string path = directories_[directory].path + "/" + entry.name;
    Result<Ref<Node>> found = directories_[directory].node->lookup(view_of(entry.name));
    if (!honesty_.reads(found, "a look-up", path)) continue;
    Ref<Node> node = found.take();
    look_at(*node, path);
    const uint64_t number = node->stat().number;
    if (node->kind() == NodeKind::kDirectory &&
        std::find(entered_.begin(), entered_.end(), number) == entered_.end()) {
      entered_.push_back(number);
      directories_.push_back({node, path});
      look_up_from(*node, directory, path);
    }
    names_.push_back({directory, entry.name, std::move(node)});
  }
}

void DamagedTree::look_up_from(Node& below, size_t directory, const std::string& path) {
  const Result<Ref<Node>> above = below.parent();
  if (!honesty_.reads(above, "the way up", path) || reader_ == nullptr) return;
  KILN_CHECK(above.value().get() == directories_[directory].node.get(),
             "the way up from '%s' of a sound image leads elsewhere", path.c_str());
}

bool DamagedTree::list(size_t directory, std::vector<Listed>& entries) {
  class Visitor final : public clay::DirectoryVisitor {
   public:
    Visitor(std::vector<Listed>& to, uint64_t& next) : to_(to), next_(next) {}
    bool entry(const Entry& entry) override {
      KILN_CHECK(entry.next > next_, "a list does not come forward: %llu after %llu",
                 wide(entry.next), wide(next_));
      next_ = entry.next;
      to_.push_back({std::string(entry.name.data(), entry.name.size()), entry.number, entry.kind});
      return ++seen_ < 16;
    }

   private:
    std::vector<Listed>& to_;
    uint64_t& next_;
    unsigned seen_ = 0;
  };
  uint64_t next = 0;
  for (size_t before = SIZE_MAX; before != entries.size();) {
    before = entries.size();
    Visitor visitor(entries, next);
    const Result<> listed = directories_[directory].node->list(next, visitor);
    if (!honesty_.reads(listed, "a list", directories_[directory].path)) return false;
  }
  return true;
}

void DamagedTree::compare_entries(size_t directory, const std::vector<Listed>& entries) {
  const std::string& path = directories_[directory].path;
  const auto number = static_cast<uint32_t>(directories_[directory].node->stat().number);
  const std::optional<InodeFacts> inode = reader_->inode(number);
  KILN_CHECK(inode.has_value() && reader_->list(*inode, storage_, expected_),
             "directory '%s' of a sound image has inode %u", path.c_str(), number);
  std::erase_if(expected_, [](const worlds::ext2::DirectoryEntry& entry) {
    return entry.name == "." || entry.name == "..";
  });
  KILN_CHECK(entries.size() == expected_.size(), "'%s' has %zu entries, the kernel lists %zu",
             path.c_str(), expected_.size(), entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    KILN_CHECK(entries[i].name == expected_[i].name && entries[i].number == expected_[i].inode,
               "entry %zu of '%s' is '%.*s', inode %u, and the kernel lists '%s', %llu", i,
               path.c_str(), static_cast<int>(expected_[i].name.size()), expected_[i].name.data(),
               expected_[i].inode, entries[i].name.c_str(), wide(entries[i].number));
  }
}

void DamagedTree::look_at(Node& node, const std::string& path) {
  const NodeStat stat = node.stat();
  KILN_CHECK(stat.kind == node.kind(), "'%s' is two kinds of node", path.c_str());
  if (reader_ != nullptr) {
    const std::optional<InodeFacts> inode = reader_->inode(static_cast<uint32_t>(stat.number));
    KILN_CHECK(inode.has_value(), "'%s' is inode %llu, which there is not", path.c_str(),
               wide(stat.number));
    compare_node(stat, *inode, path);
  }
  if (stat.kind == NodeKind::kFile) read_file(node, stat, path);
  if (stat.kind == NodeKind::kSymlink) read_symlink(node, path);
}

void DamagedTree::compare_node(const NodeStat& stat, const InodeFacts& inode,
                               const std::string& path) {
  KILN_CHECK(stat.kind == kind_of(inode.kind), "'%s' is shown as another kind", path.c_str());
  KILN_CHECK(stat.permissions == inode.permissions, "'%s' has permissions %o, not %o", path.c_str(),
             inode.permissions, stat.permissions);
  KILN_CHECK(stat.links == inode.links, "'%s' has %u links, not %u", path.c_str(), inode.links,
             stat.links);
  KILN_CHECK(stat.bytes == inode.bytes, "'%s' has %llu bytes, not %llu", path.c_str(),
             wide(inode.bytes), wide(stat.bytes));
  KILN_CHECK(stat.allocated == uint64_t{inode.sectors} * 512, "'%s' takes %llu sectors, not %llu",
             path.c_str(), wide(inode.sectors), wide(stat.allocated / 512));
}

void DamagedTree::read_file(Node& node, const NodeStat& stat, const std::string& path) {
  if (stat.bytes <= kWhole) {
    return read_range(node, stat, 0, static_cast<size_t>(stat.bytes) + 1, path);
  }
  const uint64_t block = fs_.stat().block_bytes;
  const uint64_t pointers = block / 4;
  // Where direct, indirect, doubly and triply indirect blocks end, and the file.
  const uint64_t borders[] = {0, 12 * block, (12 + pointers) * block,
                              (12 + pointers + pointers * pointers) * block, stat.bytes};
  for (const uint64_t border : borders) {
    const uint64_t from = border < kPiece ? 0 : border - kPiece / 2;
    if (from < stat.bytes) read_range(node, stat, from, kPiece * 4, path);
  }
}

void DamagedTree::read_range(Node& node, const NodeStat& stat, uint64_t offset, size_t bytes,
                             const std::string& path) {
  buffer_.assign(bytes, 0xA5);
  const Result<size_t> got = node.read(offset, {buffer_.data(), bytes});
  if (!honesty_.reads(got, "a read", path)) return;
  const uint64_t rest = offset < stat.bytes ? stat.bytes - offset : 0;
  KILN_CHECK(got.value() == std::min<uint64_t>(rest, bytes),
             "%zu of %llu bytes are read at %llu of '%s'", got.value(), wide(rest), wide(offset),
             path.c_str());
  bytes_read_ += got.value();
  if (reader_ == nullptr) return;
  const std::optional<InodeFacts> inode = reader_->inode(static_cast<uint32_t>(stat.number));
  storage_.resize(std::max(storage_.size(), got.value()));
  const std::span<uint8_t> expected(storage_.data(), got.value());
  KILN_CHECK(inode.has_value() && reader_->read(*inode, offset, expected) == got.value(),
             "'%s' of a sound image cannot be read", path.c_str());
  if (std::memcmp(expected.data(), buffer_.data(), expected.size()) == 0) return;
  const auto differs = std::mismatch(expected.begin(), expected.end(), buffer_.begin());
  KILN_CHECK(false, "byte %llu of '%s' is %u, and is read as %u",
             wide(offset + static_cast<uint64_t>(differs.first - expected.begin())), path.c_str(),
             *differs.first, *differs.second);
}

void DamagedTree::read_symlink(Node& node, const std::string& path) {
  uint8_t target[4096];
  const Result<size_t> length = node.read_link(target);
  if (!honesty_.reads(length, "reading a symlink", path)) return;
  KILN_CHECK(length.value() == node.stat().bytes, "the target of '%s' has %zu bytes, not %llu",
             path.c_str(), length.value(), wide(node.stat().bytes));
  if (reader_ == nullptr) return;
  const std::optional<InodeFacts> inode = reader_->inode(static_cast<uint32_t>(node.stat().number));
  const std::optional<std::string> text =
      inode.has_value() ? reader_->symlink(*inode) : std::nullopt;
  KILN_CHECK(text.has_value() && text->size() == length.value() &&
                 std::memcmp(text->data(), target, text->size()) == 0,
             "the target of '%s' is read as something else", path.c_str());
}

namespace {

/// One line, whatever is in it.
std::string on_a_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && (c < ' ' || c == 0x7F); }, '?');
  return text;
}

std::string target_of(Node& node) {
  uint8_t target[4096];
  const Result<size_t> length = node.read_link(target);
  if (!length.ok()) return std::string("(") + clay::error_text(length.error()) + ")";
  return {reinterpret_cast<char*>(target), length.value()};
}

} // namespace

void DamagedTree::describe_into(std::string& out) const {
  const auto line = [&](Node& node, const std::string& path) {
    const NodeStat stat = node.stat();
    char text[160];
    std::snprintf(text, sizeof text, "%8llu %-9s %04o %3u %10llu  ", wide(stat.number),
                  name_of(stat.kind), stat.permissions, stat.links, wide(stat.bytes));
    out += text + on_a_line(path);
    if (stat.kind == NodeKind::kSymlink) out += " -> " + on_a_line(target_of(node));
    out += "\n";
  };
  if (!directories_.empty()) line(*directories_[0].node, "/");
  for (const Name& name : names_) {
    line(*name.node, directories_[name.directory].path + "/" + name.name);
  }
  out += std::to_string(names_.size()) + (names_.size() == 1 ? " name" : " names");
  if (names_.size() >= kMostNames) out += ", and no further ones were looked at";
  out += "; " + std::to_string(bytes_read_) + " bytes of files were read" +
         (reader_ != nullptr ? ", all as a second reader reads them.\n" : ".\n");
}

} // namespace kiln::fs
