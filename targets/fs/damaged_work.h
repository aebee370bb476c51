#pragma once
// Work on a filesystem whose names nobody chose: operations on whatever a look has found.

#include <string>
#include <vector>

#include "sim/tape.h"
#include "targets/fs/damaged_tree.h"

namespace kiln::fs {

class DamagedWork {
 public:
  DamagedWork(clay::FileSystem& fs, Honesty& honesty, DamagedTree& tree)
      : fs_(fs), honesty_(honesty), tree_(tree) {}

  /// One operation that the tape draws.
  void step(sim::Tape::View data);
  /// What was done, a line each.
  const std::string& words() const { return words_; }
  /// Operations that the filesystem was asked for, and those of them that it did.
  unsigned asked() const { return asked_; }
  unsigned succeeded() const { return succeeded_; }

 private:
  DamagedTree::Directory& directory(sim::Tape::View data);
  /// Null when there is no name at all.
  DamagedTree::Name* name(sim::Tape::View data);
  std::string fresh_name(sim::Tape::View data);
  std::string path_of(const DamagedTree::Name& name) const;
  void done(const char* what, const clay::Result<>& result, const std::string& path);
  void sync();
  void create(sim::Tape::View data);
  void symlink(sim::Tape::View data);
  void link(sim::Tape::View data, DamagedTree::Name& name);
  void write(sim::Tape::View data, DamagedTree::Name& name);
  void truncate(sim::Tape::View data, DamagedTree::Name& name);
  void remove(DamagedTree::Name& name);
  void rename(sim::Tape::View data, DamagedTree::Name& name);

  clay::FileSystem& fs_;
  Honesty& honesty_;
  DamagedTree& tree_;
  unsigned made_ = 0;
  unsigned asked_ = 0;
  unsigned succeeded_ = 0;
  std::string words_;
};

} // namespace kiln::fs
