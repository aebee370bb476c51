#pragma once
// Programs for a VFS: what fs.h has, by paths with dots, slashes and symlinks, and with mounts,
// open flags, and files that are read and written where they stand.

#include <string>

#include "generators/fs.h"

namespace kiln::gen {

// X(identifier, "name")
#define KILN_VFS_ACTS(X)                                                                           \
  X(kPlain, "")                /* as FsOperation says */                                           \
  X(kStreamWrite, "append to") /* handle: where it stands */                                       \
  X(kStreamRead, "go on reading")                                                                  \
  X(kListOn, "go on listing") /* handle: `length` entries at most */                               \
  X(kSeek, "seek in")         /* handle, to offset; a directory: to its beginning */               \
  X(kStatFollow, "stat behind symlinks of")                                                        \
  X(kMount, "mount on") /* a new filesystem */                                                     \
  X(kUnmount, "unmount")

enum class VfsAct : uint8_t {
#define KILN_VFS_ACT_ENUM(id, text) id,
  KILN_VFS_ACTS(KILN_VFS_ACT_ENUM)
#undef KILN_VFS_ACT_ENUM
};

// Of kOpen. FsAct::kCreate is to open with kVfsCreate and kVfsExclusive, and close.
inline constexpr uint8_t kVfsRead = 1;
inline constexpr uint8_t kVfsWrite = 2;
inline constexpr uint8_t kVfsCreate = 4;
inline constexpr uint8_t kVfsExclusive = 8;
inline constexpr uint8_t kVfsTruncate = 16;
inline constexpr uint8_t kVfsAppend = 32;
inline constexpr uint8_t kVfsDirectory = 64;

struct VfsOperation {
  VfsAct act = VfsAct::kPlain;
  uint8_t flags = kVfsRead; ///< of kOpen
  bool read_only = false;   ///< of kMount
  bool furnished = false;   ///< of kMount: a file, a directory and a symlink are there
  FsOperation plain;        ///< its path, handle, offset, length and fill serve all acts
};
std::string vfs_text(const VfsOperation& operation);

class VfsDrawer {
 public:
  VfsDrawer(sim::Tape& tape, const FsStyle& style) : tape_(tape), fs_(tape, style) {}
  VfsOperation operation();

 private:
  sim::Tape& tape_;
  FsDrawer fs_;
};

} // namespace kiln::gen
