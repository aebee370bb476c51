#pragma once
// A filesystem of a few fixed nodes that gives the answers which a ramfs never gives. Its root has
//
//   a  a file: reading, cutting and syncing it fail
//   b  something of another kind
//   c  a symlink that cannot be read
//   d  a symlink to nothing
//   e  a name that cannot be looked up, and is not listed
//
// and takes no new names. All failures of nodes are kIo; of a new name, kNoSpace.

#include <array>
#include <optional>

#include "kernel-src/fs/node.h"
#include "kernel-src/task/heap.h"

namespace kiln::fs {

/// What the filesystem as a whole answers; nothing: success.
struct OddAnswers {
  std::optional<clay::Error> root;
  std::optional<clay::Error> sync;
  std::optional<clay::Error> unmount;
};

/// How often it was called; outlives it.
struct OddCalls {
  unsigned sync = 0;
  unsigned unmount = 0;
};

class OddFs final : public clay::FileSystem {
 public:
  OddFs(const OddAnswers& answers, OddCalls& calls) : answers_(answers), calls_(calls) {}
  /// Null when there is no memory.
  static clay::Box<clay::FileSystem> make(const OddAnswers& answers, OddCalls& calls);

  const char* type() const override { return "odd"; }
  clay::Result<clay::Ref<clay::Node>> root() override;
  clay::FileSystemStat stat() override { return {512, 7, 5, 4, 3}; }
  bool read_only() const override { return false; }
  /// Others may come in between.
  clay::Result<> sync() override;
  clay::Result<> unmount() override;

 private:
  friend class OddDirectory;
  static constexpr size_t kNodes = 4; ///< in the root

  bool furnish();

  const OddAnswers answers_;
  OddCalls& calls_;
  clay::Ref<clay::Node> root_;
  std::array<clay::Ref<clay::Node>, kNodes> nodes_; ///< by their names
};

} // namespace kiln::fs
