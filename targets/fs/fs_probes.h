#pragma once
// States that any target with programs of filesystem operations must reach, seen through the model
// before each operation.

#include <optional>

#include "generators/fs.h"
#include "sim/probe.h"
#include "worlds/fs/model.h"

namespace kiln::fs {

class FsProbes {
 public:
  explicit FsProbes(const char* target);

  /// An operation on one node or name, which the model has not done yet, has gone like this.
  void note(const worlds::FsModel& before, const gen::FsOperation& operation,
            std::optional<worlds::FsError> failure) const;

 private:
  void note_refusal(const worlds::FsModel& before, const gen::FsOperation& operation,
                    worlds::FsError error) const;
  void note_rename(const worlds::FsModel& before, const gen::FsOperation& operation) const;
  void note_unlink(const worlds::FsModel& before, const gen::FsOperation& operation) const;
  void note_data(const worlds::FsModel& before, const gen::FsOperation& operation,
                 worlds::FsNodeId file) const;

  sim::Probe exists_;
  sim::Probe not_found_;
  sim::Probe not_directory_;
  sim::Probe is_directory_;
  sim::Probe not_empty_;
  sim::Probe not_permitted_;
  sim::Probe below_itself_;
  sim::Probe too_many_links_;
  sim::Probe overflow_;
  sim::Probe read_only_;
  sim::Probe removed_directory_;
  sim::Probe linked_again_;
  sim::Probe replaces_file_;
  sim::Probe replaces_directory_;
  sim::Probe same_node_;
  sim::Probe moves_directory_;
  sim::Probe unlinks_open_;
  sim::Probe unlinks_one_of_two_;
  sim::Probe writes_unlinked_;
  sim::Probe over_border_;
  sim::Probe behind_end_;
  sim::Probe nothing_;
  sim::Probe reads_hole_;
  sim::Probe reads_over_end_;
  sim::Probe cuts_data_;
  sim::Probe grows_cut_;
  sim::Probe long_list_;
};

} // namespace kiln::fs
