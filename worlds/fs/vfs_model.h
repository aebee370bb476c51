#pragma once
// A tree of mounted filesystems by path, as plain as can be: what a VFS must answer. Each of its
// filesystems is a model (model.h); walks are on text.
//
//   VfsVerdict verdict = model.judge(operation);     // what is right; nothing is done yet
//   ... the kernel does it ...
//   if it said success: KILN_CHECK(verdict.errors.empty(), ...);   model.apply(operation, verdict);
//
// Paths are judged exactly: the first thing wrong on the way is the error. What is wrong with the
// operation itself is a set, as in model.h.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/fs_vfs.h"
#include "worlds/fs/model.h"

namespace kiln::worlds {

inline constexpr size_t kVfsPathBytes = 4096;
inline constexpr unsigned kVfsMostLinks = 8; ///< symlinks on one way

/// A node of one of the filesystems.
struct VfsPlace {
  uint32_t filesystem = 0;
  FsNodeId node = 0;
  bool operator==(const VfsPlace&) const = default;
};

/// Where a walk has come to, before its last component.
struct VfsStand {
  VfsPlace directory;
  std::string last;
  bool slash = false; ///< behind the last component
  bool is_name() const { return !last.empty() && last != "." && last != ".."; }
  gen::FsName name() const { return gen::fs_name_of(last); }
};

struct VfsHandle {
  VfsPlace place;
  uint8_t flags = 0;
  uint64_t offset = 0;
  // --- Of a directory that is being listed
  std::vector<gen::FsName> listed;   ///< since the beginning
  std::vector<FsEntry> all_the_time; ///< entries that have been there since then
};

/// What a way is like, for probes.
struct VfsWay {
  bool relative = false;
  bool relative_to_file = false;
  bool name_too_long = false;
  bool in_removed = false; ///< a name is looked up in a directory that has been removed
  bool up_out_of_mount = false;
  bool up_into_mount = false;
  bool up_from_root = false;
  bool up_from_removed = false;
  bool link_on_way = false;
  bool link_at_end = false;
  bool link_absolute = false;
  bool link_to_link = false;
  bool link_out_of_mount = false;
  bool too_many_links = false;
  bool targets_too_long = false;
  bool slash_behind_file = false;
  bool slash_behind_directory = false;
  bool dot_last = false;
};

/// What is right, and what has been found out for it.
struct VfsVerdict {
  bool idle = false; ///< a handle that is not open: there is nothing to do
  FsErrors errors;
  std::optional<VfsPlace> place; ///< what the path leads to
  VfsStand stand;                ///< of operations on a name, or one that is made
  VfsStand to;
  bool makes = false; ///< kOpen: the file is made
};

class VfsModel {
 public:
  struct Filesystem {
    FsModel model;
    bool mounted = false;
    bool read_only = false;          ///< the mount
    std::optional<VfsPlace> covered; ///< none: the first
  };

  /// `part`: the root is a directory of something larger, and no mount.
  explicit VfsModel(const FsLimits& limits, bool part = false);

  std::vector<Filesystem> filesystems; ///< by the order in which they were mounted, never removed
  std::array<std::optional<VfsHandle>, gen::kFsHandles> handles;

  VfsVerdict judge(const gen::VfsOperation& operation) const;
  /// Does what has no errors. The filesystem that it mounted, or unmounted.
  std::optional<uint32_t> apply(const gen::VfsOperation& operation, const VfsVerdict& verdict);

  /// What the way along a path is like, followed to the end.
  VfsWay way(const gen::FsPath& path) const;

  const FsNode& node(const VfsPlace& place) const {
    return filesystems[place.filesystem].model.node(place.node);
  }
  /// Where the next write to it comes to lie.
  uint64_t begin_of_stream(const VfsHandle& handle) const;
  /// Whether something is mounted on a filesystem, or has it open.
  bool is_busy(uint32_t filesystem) const;
  std::string text() const;

 private:
  struct Walk {
    VfsPlace at;
    std::string rest;
    unsigned links = 0;
    VfsWay way;
  };

  // --- Walking. Nothing: `errors` says why.

  std::optional<VfsStand> to_last(Walk& walk, FsErrors* errors) const;
  std::optional<VfsStand> begin(const gen::FsPath& path, Walk& walk, FsErrors* errors) const;
  bool follow(Walk& walk, const FsNode& link, FsErrors* errors) const;
  std::optional<VfsPlace> arrive(Walk& walk, VfsStand& stand, bool follow_last,
                                 FsErrors* errors) const;
  std::optional<VfsPlace> find(const gen::FsPath& path, bool follow_last, FsErrors* errors) const;
  VfsPlace cross(VfsPlace place) const;
  std::optional<VfsPlace> above(VfsPlace place, Walk& walk, FsErrors* errors) const;
  bool is_covered(const VfsPlace& place) const;

  // --- Judging

  void judge_open(const gen::FsPath& path, uint8_t flags, VfsVerdict& verdict) const;
  void judge_new(const gen::FsOperation& operation, VfsVerdict& verdict) const;
  void judge_gone(const gen::FsOperation& operation, VfsVerdict& verdict) const;
  void judge_rename(const gen::FsOperation& operation, VfsVerdict& verdict) const;
  void judge_link(const gen::FsOperation& operation, VfsVerdict& verdict) const;
  void judge_plain(const gen::VfsOperation& operation, VfsVerdict& verdict) const;
  void judge_handle(const gen::VfsOperation& operation, VfsVerdict& verdict) const;
  void judge_unmount(const gen::FsPath& path, VfsVerdict& verdict) const;
  FsErrors read_only_errors(const VfsPlace& place) const;
  FsErrors old_name_errors(const VfsStand& stand, bool slash) const;

  FsModel& model_of(const VfsPlace& place) { return filesystems[place.filesystem].model; }
  const FsModel& model_of(const VfsPlace& place) const {
    return filesystems[place.filesystem].model;
  }
  void apply_plain(const gen::VfsOperation& operation, const VfsVerdict& verdict);
  void open(unsigned handle, const VfsPlace& place, uint8_t flags);
  void close(unsigned handle);
  void note_change(const VfsPlace& directory, gen::FsName name);

  FsLimits limits_;
  bool part_;
};

} // namespace kiln::worlds
