#pragma once
// A filesystem as plain as can be, in the model heap: what a real one must answer, and hold.
//
//   FsErrors errors = model.errors(operation);      // nothing is done yet
//   ... the kernel does the operation ...
//   if it said success:  KILN_CHECK(errors.empty(), ...);    model.apply(operation);
//   if it said an error: KILN_CHECK(errors.has(error) || it may have failed so, ...);
//
// errors() is every error that would be a right answer: an operation with two things wrong may be
// refused for either. Empty: it must succeed, unless there is a reason that the model does not know
// of (no space, no memory, a device that fails); then it must have changed nothing.
//
// Copying a model is cheap: nodes are shared until one of both changes them. So keep one copy for
// each moment that matters.
//
// Nodes have numbers of the model's own, in the order in which they were made, never used twice.
// The root is 0.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generators/fs.h"
#include "worlds/fs/error.h"
#include "worlds/fs/shared.h"

namespace kiln::worlds {

enum class FsKind : uint8_t { kFile, kDirectory, kSymlink };

/// What a real filesystem may have or not, and says of itself.
struct FsLimits {
  uint64_t most_bytes = UINT64_MAX; ///< of a file: beyond is kOverflow
  uint32_t most_links = UINT32_MAX; ///< of a node
  uint32_t most_target = 4095;      ///< bytes of a symlink's target
  uint32_t most_name = 255;
};

/// Bytes that one write has written; what lies in none is zeros.
struct FsExtent {
  uint64_t begin;
  uint64_t end;
  uint8_t fill;
};

using FsNodeId = uint32_t;
struct FsEntry {
  gen::FsName name;
  FsNodeId node;
};

struct FsNode {
  FsKind kind = FsKind::kFile;
  uint16_t permissions = 0;
  uint32_t links = 0;
  uint64_t bytes = 0;            ///< of a file, or a symlink's target
  FsNodeId parent = 0;           ///< of a directory
  std::vector<FsExtent> extents; ///< of a file: sorted, apart, below `bytes`
  std::vector<FsEntry> entries;  ///< of a directory: in no order
  gen::FsPath target;            ///< of a symlink

  /// The entry's node, if there is one of that name.
  std::optional<FsNodeId> find(gen::FsName name) const;
};

class FsModel {
 public:
  explicit FsModel(const FsLimits& limits = {});

  bool read_only = false;

  // --- Operations, by path from the root or from an open handle, without symlinks or ".."

  /// Nothing to do: it speaks of a handle that is not open.
  bool is_idle(const gen::FsOperation& operation) const;
  FsErrors errors(const gen::FsOperation& operation) const;
  /// Does what has no errors. The node that it made, or opened, if so.
  std::optional<FsNodeId> apply(const gen::FsOperation& operation);

  // --- Looking

  const FsNode& node(FsNodeId id) const { return *nodes_[id]; }
  /// Whether the node is the same here and in a model that this one was copied from, or to.
  bool same_node(const FsModel& other, FsNodeId id) const {
    return id < nodes() && id < other.nodes() && nodes_[id].same(other.nodes_[id]);
  }
  /// One more than the highest number of a node.
  FsNodeId nodes() const { return static_cast<FsNodeId>(nodes_.size()); }
  /// Whether it is reachable or open.
  bool lives(FsNodeId id) const { return static_cast<bool>(nodes_[id]); }
  /// Where the path leads, or the reasons why nowhere.
  std::optional<FsNodeId> find(const gen::FsPath& path, FsErrors* errors = nullptr) const;
  std::optional<FsNodeId> opened(unsigned handle) const { return handles_[handle]; }
  bool is_open(FsNodeId id) const { return opens_[id] != 0; }
  /// Any path that leads to a node that has one: for reports.
  std::string path_text(FsNodeId id) const;
  /// The tree, a line a node: for reports.
  std::string text() const;

  /// What a file holds from `place` on, as far as `out` goes; zeros behind the end.
  void read(FsNodeId id, uint64_t place, std::span<uint8_t> out) const;
  /// The first of these bytes that a file does not hold at `place`, if there is one.
  std::optional<size_t> differs(FsNodeId id, uint64_t place, std::span<const uint8_t> bytes) const;
  /// How many bytes a read of `length` at `place` gives.
  uint64_t readable(FsNodeId id, uint64_t place, uint64_t length) const;

  // --- Operations on nodes, for models of what lies above (vfs_model.h)

  FsErrors make_errors(FsNodeId directory, gen::FsName name, FsKind kind) const;
  FsErrors link_errors(FsNodeId node, FsNodeId directory, gen::FsName name) const;
  FsErrors unlink_errors(FsNodeId directory, gen::FsName name) const;
  FsErrors remove_errors(FsNodeId directory, gen::FsName name) const;
  FsErrors rename_errors(FsNodeId from, gen::FsName name, FsNodeId to, gen::FsName to_name) const;
  FsErrors write_errors(FsNodeId node, uint64_t place, uint64_t length) const;
  FsErrors truncate_errors(FsNodeId node, uint64_t bytes) const;
  FsErrors target_errors(const gen::FsPath& target) const;

  FsNodeId make(FsNodeId directory, gen::FsName name, FsKind kind, uint16_t permissions,
                const gen::FsPath& target = {});
  void link(FsNodeId node, FsNodeId directory, gen::FsName name);
  void unlink(FsNodeId directory, gen::FsName name);
  void remove(FsNodeId directory, gen::FsName name);
  void rename(FsNodeId from, gen::FsName name, FsNodeId to, gen::FsName to_name);
  void write(FsNodeId node, uint64_t place, uint64_t length, uint8_t fill);
  void truncate(FsNodeId node, uint64_t bytes);
  /// Somebody more has the node open, or somebody less: without links it goes with the last one.
  void open(FsNodeId node) { ++opens_[node]; }
  void close(FsNodeId node);

 private:
  FsNode& change(FsNodeId id);
  void go_if_unused(FsNodeId id);
  /// Errors of an operation in this directory whatever the name.
  FsErrors directory_errors(FsNodeId directory) const;
  FsErrors changing(FsErrors errors) const;
  bool is_below(FsNodeId node, FsNodeId above) const;
  void add_entry(FsNodeId directory, gen::FsName name, FsNodeId node);
  void drop_entry(FsNodeId directory, gen::FsName name);
  /// The directory that a path's last name lies in. A path without names: kInvalid.
  std::optional<FsNodeId> find_parent(const gen::FsPath& path, FsErrors* errors) const;
  FsErrors node_errors(const gen::FsOperation& operation, FsNodeId node) const;
  void open_handle(unsigned handle, FsNodeId node);
  void close_handle(unsigned handle);

  FsLimits limits_;
  std::vector<Shared<FsNode>> nodes_; ///< null: gone
  std::vector<uint32_t> opens_;
  std::array<std::optional<FsNodeId>, gen::kFsHandles> handles_;
};

} // namespace kiln::worlds
