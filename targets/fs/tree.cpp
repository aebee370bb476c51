#include "targets/fs/tree.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/machine.h"
#include "targets/fs/node_driver.h"
#include "worlds/ext2/reader.h"

namespace kiln::fs {

using clay::Node;
using clay::NodeKind;
using clay::Ref;
using clay::Result;
using worlds::FsFound;
using worlds::FsFoundNode;
using worlds::FsKind;

namespace {

/// What both looks do alike.
class Looker {
 public:
  Looker(const TreeLook& look, FsFound& found) : look_(look), found_(found) {
    found_.nodes.emplace_back();
  }

 protected:
  /// The entry of a directory that is being read; says whether the node is a new one.
  bool add_entry(uint32_t at, gen::FsName name, uint64_t number) {
    const auto known = found_.find(number);
    const auto node = known.value_or(static_cast<uint32_t>(found_.nodes.size()));
    if (!known) found_.nodes.push_back({.number = number});
    found_.entries.push_back({name, node});
    ++found_.nodes[at].entries;
    return !known;
  }

  /// Room for bytes that are about to be read.
  std::span<uint8_t> add_piece(FsFoundNode& node, uint64_t place, size_t length) {
    const auto begin = static_cast<uint32_t>(found_.bytes.size());
    found_.bytes.resize(begin + length);
    found_.pieces.push_back({place, begin, static_cast<uint32_t>(length)});
    ++node.pieces;
    return std::span(found_.bytes).subspan(begin);
  }

  /// Calls read(place, room) for all that is to be read of a file, until it says false.
  template <typename Read> bool each_piece(FsFoundNode& node, Read&& read) {
    node.first_piece = static_cast<uint32_t>(found_.pieces.size());
    if (node.bytes == 0) return true;
    if (node.bytes <= look_.whole || look_.history == nullptr) {
      return read(0, add_piece(node, 0, static_cast<size_t>(node.bytes)));
    }
    for (const auto& place : look_.history->places(node.number, node.bytes)) {
      const auto length = static_cast<size_t>(place.end - place.begin);
      if (!read(place.begin, add_piece(node, place.begin, length))) return false;
    }
    return true;
  }

  const TreeLook& look_;
  FsFound& found_;
};

// --- Through the kernel

class KernelLooker final : Looker, clay::DirectoryVisitor {
 public:
  KernelLooker(const TreeLook& look, FsFound& found) : Looker(look, found) {}

  Result<> run(Node& root) {
    nodes_.push_back(Ref<Node>(root));
    for (at_ = 0; at_ < nodes_.size(); ++at_) {
      CLAY_TRY(look_at(*nodes_[at_]));
    }
    return {};
  }

 private:
  Result<> look_at(Node& node) {
    const clay::NodeStat stat = node.stat();
    FsFoundNode& out = found_.nodes[at_];
    KILN_CHECK(at_ == 0 || out.number == stat.number, "%s is listed as inode %lu and is %lu",
               found_.path_text(at_).c_str(), out.number, stat.number);
    KILN_CHECK(stat.kind == node.kind(), "%s is of two kinds", found_.path_text(at_).c_str());
    out.number = stat.number;
    out.permissions = stat.permissions;
    out.links = stat.links;
    out.bytes = stat.bytes;
    switch (stat.kind) {
    case NodeKind::kDirectory:
      out.kind = FsKind::kDirectory;
      out.bytes = 0;
      return read_directory(node);
    case NodeKind::kSymlink:
      out.kind = FsKind::kSymlink;
      return read_target(node, out);
    case NodeKind::kFile:
    case NodeKind::kOther:
      break;
    }
    KILN_CHECK(stat.kind == NodeKind::kFile, "%s is of another kind",
               found_.path_text(at_).c_str());
    return read_file(node, out);
  }

  bool entry(const Entry& entry) override {
    const std::string_view name{entry.name.data(), entry.name.size()};
    const gen::FsName number = gen::fs_name_of(name);
    KILN_CHECK(number != gen::kFsPlainNames, "%s has an entry that nobody made: %.*s",
               found_.path_text(at_).c_str(), static_cast<int>(name.size()), name.data());
    if (add_entry(at_, number, entry.number)) names_.push_back(number);
    return true;
  }

  Result<> read_directory(Node& node) {
    found_.nodes[at_].first_entry = static_cast<uint32_t>(found_.entries.size());
    names_.clear();
    CLAY_TRY(node.list(0, *this));
    for (const gen::FsName name : names_) {
      nodes_.push_back(CLAY_TRY(node.lookup(name_of(name))));
    }
    return {};
  }

  Result<> read_target(Node& node, FsFoundNode& out) {
    out.first_piece = static_cast<uint32_t>(found_.pieces.size());
    const auto room = add_piece(out, 0, static_cast<size_t>(out.bytes));
    const size_t length = CLAY_TRY(node.read_link(room));
    KILN_CHECK(length == out.bytes, "a target of %lu bytes is said to have %zu", out.bytes, length);
    return {};
  }

  Result<> read_file(Node& node, FsFoundNode& out) {
    Result<> result;
    each_piece(out, [&](uint64_t place, std::span<uint8_t> room) {
      const auto got = node.read(place, room);
      if (!got.ok()) {
        result = got.error();
        return false;
      }
      KILN_CHECK(got.value() == room.size(), "%s, of %lu bytes, gives %zu of %zu at %lu",
                 found_.path_text(at_).c_str(), out.bytes, got.value(), room.size(), place);
      return true;
    });
    return result;
  }

  uint32_t at_ = 0;
  std::vector<Ref<Node>> nodes_;
  std::vector<gen::FsName> names_; ///< of the nodes that the directory added
};

// --- From the image

class ImageLooker final : Looker {
 public:
  ImageLooker(const worlds::ext2::ImageView& image, const TreeLook& look, FsFound& found)
      : Looker(look, found), reader_(image) {}

  bool run() {
    if (!reader_.usable()) return false;
    found_.nodes[0].number = worlds::ext2::kRootInode;
    for (uint32_t at = 0; at < found_.nodes.size(); ++at) {
      if (!look_at(at)) return false;
    }
    return true;
  }

 private:
  bool look_at(uint32_t at) {
    FsFoundNode& out = found_.nodes[at];
    const auto inode = reader_.inode(static_cast<uint32_t>(out.number));
    if (!inode) return false;
    out.permissions = inode->permissions;
    out.links = inode->links;
    out.bytes = inode->bytes;
    switch (inode->kind) {
    case worlds::ext2::FileKind::kDirectory:
      out.kind = FsKind::kDirectory;
      out.bytes = 0;
      return read_directory(at, *inode);
    case worlds::ext2::FileKind::kSymlink: {
      out.kind = FsKind::kSymlink;
      out.first_piece = static_cast<uint32_t>(found_.pieces.size());
      const auto target = reader_.symlink(*inode);
      if (!target || target->size() != out.bytes) return false;
      const auto room = add_piece(out, 0, target->size());
      std::copy(target->begin(), target->end(), room.begin());
      return true;
    }
    case worlds::ext2::FileKind::kFile:
      return each_piece(out, [&](uint64_t place, std::span<uint8_t> room) {
        return reader_.read(*inode, place, room) == room.size();
      });
    default:
      return false;
    }
  }

  bool read_directory(uint32_t at, const worlds::ext2::InodeFacts& inode) {
    found_.nodes[at].first_entry = static_cast<uint32_t>(found_.entries.size());
    if (!reader_.list(inode, storage_, entries_)) return false;
    for (const worlds::ext2::DirectoryEntry& entry : entries_) {
      if (entry.name == "." || entry.name == "..") continue;
      const gen::FsName number = gen::fs_name_of(entry.name);
      if (number == gen::kFsPlainNames) return false;
      add_entry(at, number, entry.inode);
    }
    return true;
  }

  worlds::ext2::Reader reader_;
  std::vector<uint8_t> storage_;
  std::vector<worlds::ext2::DirectoryEntry> entries_;
};

} // namespace

Result<> look_through_kernel(Node& root, const TreeLook& look, FsFound& found) {
  return KernelLooker(look, found).run(root);
}

bool look_at_image(const worlds::ext2::ImageView& image, const TreeLook& look, FsFound& found) {
  return ImageLooker(image, look, found).run();
}

} // namespace kiln::fs
