#pragma once
// What the nodes of a filesystem are, against the model: kind, number, permissions, links and size;
// contents; that a node is one object by whatever name it is reached; of directories the entries.
// The space that a file takes only if its blocks are known.

#include <array>
#include <cstdint>
#include <vector>

#include "targets/fs/node_driver.h"
#include "worlds/fs/model.h"

namespace kiln::fs {

/// What the nodes of a tree take.
struct Totals {
  uint64_t nodes = 0;
  uint64_t allocated = 0;
};

/// A node that is to be looked at beside those of the tree.
struct OpenNode {
  worlds::FsNodeId id;
  clay::Ref<clay::Node> node;
};

/// Remembers which number of the kernel's each node of one model has. So each filesystem has one.
class NodeChecker {
 public:
  /// Not 0: files take up whole blocks of so many bytes, for what has been written and for nothing
  /// behind their end.
  uint32_t block_bytes = 0;

  void check_node(const worlds::FsModel& model, worlds::FsNodeId id, clay::Node& node);
  void check_stat(const worlds::FsModel& model, worlds::FsNodeId id, const clay::NodeStat& stat);
  void check_entries(const worlds::FsModel& model, worlds::FsNodeId id,
                     const std::vector<Listed>& entries);
  /// `bytes`: read from a file at `offset`.
  static void check_bytes(const worlds::FsModel& model, worlds::FsNodeId id, uint64_t offset,
                          std::span<const uint8_t> bytes);
  /// `length` and `bytes`: what reading a symlink gave.
  static void check_target(const worlds::FsModel& model, worlds::FsNodeId id, uint64_t length,
                           std::span<const uint8_t> bytes);

  /// The whole tree below the root, and what is open. What all of it takes.
  Totals check_all(const worlds::FsModel& model, clay::Node& root,
                   const std::vector<OpenNode>& open);

 private:
  void check_allocated(const worlds::FsModel& model, worlds::FsNodeId id, uint64_t allocated) const;
  void check_number(const worlds::FsModel& model, worlds::FsNodeId id, uint64_t number);
  void check_contents(const worlds::FsModel& model, worlds::FsNodeId id, clay::Node& node);
  void check_range(const worlds::FsModel& model, worlds::FsNodeId id, clay::Node& node,
                   uint64_t begin, uint64_t end);

  std::vector<uint64_t> numbers_; ///< the kernel's, by the model's; 0: not seen yet
  std::vector<uint8_t> buffer_;
};

} // namespace kiln::fs
