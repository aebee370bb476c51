#pragma once
// What the tasks of fs/vfs do to the same files, names and mounts, beside the directory that they
// share, and what must come of it:
//
// - names that are made exclusively and removed: for each, one more is made than removed if and
// only
//   if it is there in the end;
// - a file that must be there whenever it is opened for creation, whoever removes it;
// - a file that others replace by renames, and that is there at any time;
// - a directory that something is mounted on and taken away from, and that is removed, made, and
//   renamed;
// - records in files: in one by appending, in one by a common open file, every record is there
// once,
//   whole, and those of a task in order; in one that is emptied now and then there is never a hole;
//   in one that is also written at places, no append overwrites what was written there.

#include <cstdint>
#include <vector>

#include "targets/fs/odd_fs.h"
#include "targets/fs/vfs.h"

namespace kiln::fs {

inline constexpr unsigned kMostTasks = 3;
inline constexpr unsigned kContested = 2; ///< names that are made exclusively

/// What all have in common.
struct Together {
  explicit Together(VfsWorld& in) : world(in) {}
  VfsWorld& world;
  clay::Ref<clay::File> stream;
  OddCalls odd_calls;
  int there[kContested] = {};   ///< made less removed
  std::vector<uint64_t> placed; ///< where records were written at places
};

/// A task's part in it.
struct Member {
  Together* all;
  uint8_t number;
  clay::Box<clay::FileSystem> fresh; ///< for the next shared mount
  clay::Ref<clay::File> kept;        ///< open in the shared mount, or in what it lies over
  uint8_t appended = 0;
  uint8_t streamed = 0;

  Member(Together& together, size_t index) : all(&together), number(static_cast<uint8_t>(index)) {}
};

// X(identifier): what a member can do
#define KILN_VFS_TOGETHER(X)                                                                       \
  X(append_record)                                                                                 \
  X(stream_record)                                                                                 \
  X(make_contested)                                                                                \
  X(remove_contested)                                                                              \
  X(open_anyway)                                                                                   \
  X(work_on_mount)                                                                                 \
  X(replace)                                                                                       \
  X(place_record)                                                                                  \
  X(empty_records)

/// `which`: one of its kinds.
#define KILN_VFS_TOGETHER_FUNCTION(id) void id(Member& member, unsigned which);
KILN_VFS_TOGETHER(KILN_VFS_TOGETHER_FUNCTION)
#undef KILN_VFS_TOGETHER_FUNCTION

/// A filesystem for the next mount. False: an allocation was made to fail.
bool make_fresh(Member& member);
/// Whether an allocation that was made to fail explains the failure.
bool struck(const Member& member, uint64_t allocations, std::optional<worlds::FsError> failure);

/// Makes what they work on, before the tasks begin.
void begin_together(clay::Vfs& vfs, Together& all);
/// Once they have ended.
void check_together(clay::Vfs& vfs, const Together& all, const std::vector<const Member*>& members);

} // namespace kiln::fs
