#pragma once
// Does operations on a filesystem by its nodes, without a VFS: walks a path by look-ups from a
// directory, which need not be the filesystem's root, and keeps handles as references to nodes.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "generators/fs.h"
#include "kernel-src/fs/node.h"
#include "targets/fs/answer.h"

namespace kiln::fs {

/// An entry of a list.
struct Listed {
  gen::FsName name; ///< kFsPlainNames: one that nobody has made
  uint64_t number;
  clay::NodeKind kind;
};

/// What a buffer holds before it is read into: neither a hole's byte nor a written one.
inline constexpr uint8_t kUnread = 0x5A;

/// What came out of an operation, as far as it has something to say.
struct Answer {
  std::optional<worlds::FsError> failure; ///< nothing: success
  clay::Ref<clay::Node> node;             ///< made, opened, or looked at
  clay::NodeStat stat;
  std::optional<clay::FileSystemStat> space; ///< of the filesystem, where somebody asked
  uint64_t count = 0;                        ///< bytes that were read, or a target's length
  std::vector<uint8_t> bytes;                ///< read
  std::vector<Listed> entries;               ///< listed, in order
};

class NodeDriver {
 public:
  explicit NodeDriver(clay::Ref<clay::Node> root) : root_(std::move(root)) {}

  /// Whether it speaks of a handle that is not open: there is nothing to do.
  bool is_idle(const gen::FsOperation& operation) const;
  /// Does an operation that is not idle. kRemount closes the handles, and nothing else.
  Answer perform(const gen::FsOperation& operation);
  void close_all() { handles_ = {}; }
  /// All references are given up: nothing is done any more.
  void let_go();

  clay::Node& root() const { return *root_; }
  clay::Node* opened(unsigned handle) const { return handles_[handle].get(); }
  clay::Result<clay::Ref<clay::Node>> find(const gen::FsPath& path) const;

 private:
  void on_node(clay::Node& node, const gen::FsOperation& operation, Answer& answer);
  void on_name(clay::Node& directory, const gen::FsOperation& operation, Answer& answer);
  clay::Result<> rename(clay::Node& directory, const gen::FsOperation& operation) const;
  clay::Result<> link(const gen::FsOperation& operation) const;

  clay::Ref<clay::Node> root_;
  std::array<clay::Ref<clay::Node>, gen::kFsHandles> handles_;
  std::vector<uint8_t> buffer_;
};

/// Whether a read has left alone what it did not read.
bool rest_is_unread(std::span<const uint8_t> bytes, uint64_t count);

/// A name as the kernel takes it.
clay::StringView name_of(gen::FsName name);
/// All entries of a directory, asked for a few at a time.
clay::Result<> list_all(clay::Node& directory, unsigned at_once, std::vector<Listed>& entries);

} // namespace kiln::fs
