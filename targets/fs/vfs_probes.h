#pragma once
// States of a VFS that its target must reach, seen through the model before each operation.

#include <optional>

#include "generators/fs_vfs.h"
#include "sim/probe.h"
#include "worlds/fs/vfs_model.h"

namespace kiln::fs {

class VfsProbes {
 public:
  explicit VfsProbes(const char* target);

  void note(const worlds::VfsModel& before, const gen::VfsOperation& operation,
            std::optional<worlds::FsError> failure) const;

 private:
  void note_mounts(const worlds::VfsModel& before, const gen::VfsOperation& operation,
                   const worlds::VfsVerdict& verdict, std::optional<worlds::FsError> failure) const;
  void note_refusal(const worlds::VfsModel& before, const gen::VfsOperation& operation,
                    const worlds::VfsVerdict& verdict, worlds::FsError error) const;
  void note_open(const worlds::VfsModel& before, const gen::VfsOperation& operation,
                 const worlds::VfsVerdict& verdict) const;
  void note_path(const worlds::VfsModel& before, const gen::FsPath& path,
                 std::optional<worlds::FsError> failure) const;
  void note_handle(const worlds::VfsModel& before, const gen::VfsOperation& operation) const;

  sim::Probe mounted_;
  sim::Probe mounted_in_mount_;
  sim::Probe mounted_over_mount_;
  sim::Probe mounted_read_only_;
  sim::Probe unmounted_;
  sim::Probe unmounts_root_;
  sim::Probe unmounts_no_mount_;
  sim::Probe busy_open_;
  sim::Probe busy_mount_;
  sim::Probe removes_covered_;
  sim::Probe renames_covered_;
  sim::Probe replaces_covered_;
  sim::Probe renames_across_;
  sim::Probe links_across_;
  sim::Probe read_only_;
  sim::Probe up_out_of_mount_;
  sim::Probe up_into_mount_;
  sim::Probe up_from_root_;
  sim::Probe up_from_removed_;
  sim::Probe in_removed_;
  sim::Probe relative_;
  sim::Probe relative_to_file_;
  sim::Probe link_on_way_;
  sim::Probe link_at_end_;
  sim::Probe link_not_followed_;
  sim::Probe link_absolute_;
  sim::Probe link_to_link_;
  sim::Probe link_out_of_mount_;
  sim::Probe link_dangling_made_;
  sim::Probe link_exclusive_;
  sim::Probe too_many_links_;
  sim::Probe targets_too_long_;
  sim::Probe longest_path_;
  sim::Probe path_too_long_;
  sim::Probe name_too_long_;
  sim::Probe slash_behind_file_;
  sim::Probe slash_behind_directory_;
  sim::Probe dot_last_;
  sim::Probe opened_anew_;
  sim::Probe truncated_;
  sim::Probe wrong_flags_;
  sim::Probe directory_to_write_;
  sim::Probe not_for_reading_;
  sim::Probe not_for_writing_;
  sim::Probe appended_;
  sim::Probe streamed_;
  sim::Probe read_on_;
  sim::Probe read_at_end_;
  sim::Probe listed_on_;
  sim::Probe listed_after_change_;
  sim::Probe listed_removed_;
  sim::Probe unlinked_open_;
  sim::Probe no_memory_;
};

} // namespace kiln::fs
