#include "generators/fs_vfs.h"

namespace kiln::gen {
namespace {

const char* act_text(VfsAct act) {
  static constexpr const char* kTexts[] = {
#define KILN_VFS_ACT_TEXT(id, text) text,
      KILN_VFS_ACTS(KILN_VFS_ACT_TEXT)
#undef KILN_VFS_ACT_TEXT
  };
  return kTexts[static_cast<size_t>(act)];
}

std::string flags_text(uint8_t flags) {
  static constexpr const char* kTexts[] = {"read",     "write",  "create",   "exclusive",
                                           "truncate", "append", "directory"};
  std::string out;
  for (size_t bit = 0; bit < std::size(kTexts); ++bit) {
    if ((flags & (1U << bit)) == 0) continue;
    out += out.empty() ? "" : " ";
    out += kTexts[bit];
  }
  return out.empty() ? "nothing" : out;
}

} // namespace

std::string vfs_text(const VfsOperation& operation) {
  const FsOperation& plain = operation.plain;
  if (operation.act == VfsAct::kPlain) {
    const std::string text = fs_text(plain);
    return plain.act == FsAct::kOpen ? text + " for " + flags_text(operation.flags) : text;
  }
  const std::string act = act_text(operation.act);
  const std::string handle = " handle " + std::to_string(plain.handle + 1);
  const std::string bytes = std::to_string(plain.length) + (plain.length == 1 ? " byte" : " bytes");
  switch (operation.act) {
  case VfsAct::kStreamWrite:
    return act + handle + ", " + bytes + " of fill " + std::to_string(plain.fill);
  case VfsAct::kStreamRead:
    return act + handle + ", " + bytes;
  case VfsAct::kListOn:
    return act + handle + ", " + std::to_string(plain.length) + " entries";
  case VfsAct::kSeek:
    return act + handle + ", to " + std::to_string(plain.offset);
  case VfsAct::kMount:
    return act + " " + fs_path_text(plain.path) + (operation.read_only ? ", read-only" : "") +
           (operation.furnished ? ", with something in it" : "");
  default:
    return act + " " + fs_path_text(plain.path);
  }
}

VfsOperation VfsDrawer::operation() {
  auto data = tape_.data();
  VfsOperation operation;
  operation.act = static_cast<VfsAct>(data.weighted({40, 4, 4, 3, 1, 3, 4, 3}));
  switch (operation.act) {
  case VfsAct::kPlain:
    operation.plain = fs_.operation();
    break;
  case VfsAct::kStreamWrite:
    operation.plain = fs_.operation_of(FsAct::kWriteHandle);
    break;
  case VfsAct::kStreamRead:
  case VfsAct::kSeek:
    operation.plain = fs_.operation_of(FsAct::kReadHandle);
    break;
  case VfsAct::kListOn:
    operation.plain = fs_.operation_of(FsAct::kReadHandle);
    if (operation.plain.act == FsAct::kReadHandle) operation.plain.handle = fs_.directory_handle();
    operation.plain.length = static_cast<uint32_t>(data.between(1, 4));
    break;
  case VfsAct::kStatFollow:
    operation.plain = fs_.operation_of(FsAct::kStat);
    break;
  default:
    operation.plain = fs_.directory();
    break;
  }
  const FsAct drawn = operation.plain.act;
  if (drawn == FsAct::kOpen || drawn == FsAct::kWrite || drawn == FsAct::kMakeDirectory) {
    operation.act = VfsAct::kPlain; // no handle was open, or no directory is there
  }
  if (operation.act == VfsAct::kMount) {
    operation.read_only = data.below(4) == 3;
    operation.furnished = data.below(3) == 2;
  }
  if (drawn == FsAct::kOpen) {
    static constexpr uint8_t kFlags[] = {kVfsRead,
                                         kVfsRead | kVfsWrite,
                                         kVfsRead | kVfsWrite | kVfsCreate,
                                         kVfsWrite | kVfsAppend,
                                         kVfsRead | kVfsWrite | kVfsCreate | kVfsAppend,
                                         kVfsWrite | kVfsTruncate,
                                         kVfsRead | kVfsWrite | kVfsCreate | kVfsExclusive,
                                         kVfsRead | kVfsDirectory,
                                         kVfsWrite | kVfsCreate | kVfsTruncate,
                                         kVfsRead | kVfsCreate};
    operation.flags = data.below(32) == 31 ? data.u8() & 127 : data.pick(kFlags);
    if (data.below(4) != 3 && fs_.is_directory(operation.plain.path)) {
      operation.flags = kVfsRead | (operation.flags & kVfsDirectory);
    }
  }
  return operation;
}

} // namespace kiln::gen
