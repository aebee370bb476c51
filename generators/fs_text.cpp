// Operations and paths as text: for a kernel, and for people.

#include <cstdio>
#include <string>

#include "generators/fs.h"

namespace kiln::gen {
namespace {

const char* act_text(FsAct act) {
  static constexpr const char* kTexts[] = {
#define KILN_FS_ACT_TEXT(id, text) text,
      KILN_FS_ACTS(KILN_FS_ACT_TEXT)
#undef KILN_FS_ACT_TEXT
  };
  return kTexts[static_cast<size_t>(act)];
}

/// The path with its names by `name` and its extra slashes by `slashes`.
template <typename Name, typename Slashes>
std::string spell(const FsPath& path, Name name, Slashes slashes) {
  std::string out;
  const bool absolute = path.at == 0 && !path.relative;
  if (absolute) {
    out += '/';
    out += slashes(path.extra_slashes);
  }
  for (size_t i = 0; i < path.count; ++i) {
    if (i != 0) out += '/';
    if (!absolute && i != 0 && i + 1 == path.count) out += slashes(path.extra_slashes);
    out += name(path.names[i]);
  }
  if (path.slash_behind && path.count != 0) out += '/';
  if (!absolute && path.count == 1) out += slashes(path.extra_slashes);
  return out;
}

std::string name_text(FsName name) {
  const std::string_view text = fs_name(name);
  return text.size() <= 12 ? std::string(text) : "a*" + std::to_string(text.size());
}

std::string extent_text(const FsOperation& operation) {
  return " at " + std::to_string(operation.offset) + ", " + std::to_string(operation.length) +
         (operation.length == 1 ? " byte" : " bytes");
}

} // namespace

std::string fs_path_bytes(const FsPath& path) {
  return spell(
      path, [](FsName name) { return std::string(fs_name(name)); },
      [](size_t count) { return std::string(count, '/'); });
}

std::string fs_path_text(const FsPath& path) {
  std::string out = spell(path, name_text, [](size_t count) {
    return count <= 3 ? std::string(count, '/') : "(and " + std::to_string(count) + " slashes)";
  });
  if (path.at != 0) {
    out = "handle " + std::to_string(path.at) + (out.empty() ? "" : ": " + out);
  }
  return out.empty() ? "(nothing)" : out;
}

std::string fs_text(const FsOperation& operation) {
  std::string out = act_text(operation.act);
  const std::string handle = "handle " + std::to_string(operation.handle + 1);
  switch (operation.act) {
  case FsAct::kSync:
  case FsAct::kRemount:
    return out;
  case FsAct::kClose:
  case FsAct::kStatHandle:
  case FsAct::kSyncHandle:
    return out + " " + handle;
  case FsAct::kTruncateHandle:
    return out + " " + handle + " to " + std::to_string(operation.offset);
  case FsAct::kReadHandle:
    return out + " " + handle + extent_text(operation);
  case FsAct::kWriteHandle:
    return out + " " + handle + extent_text(operation) + " of fill " +
           std::to_string(operation.fill);
  default:
    break;
  }
  out += " " + fs_path_text(operation.path);
  switch (operation.act) {
  case FsAct::kCreate:
  case FsAct::kMakeDirectory: {
    char mode[16];
    snprintf(mode, sizeof(mode), " mode %04o", operation.permissions);
    return out + mode;
  }
  case FsAct::kWrite:
    return out + extent_text(operation) + " of fill " + std::to_string(operation.fill);
  case FsAct::kRead:
    return out + extent_text(operation);
  case FsAct::kTruncate:
    return out + " to " + std::to_string(operation.offset);
  case FsAct::kRename:
  case FsAct::kLink:
    return out + (operation.act == FsAct::kLink ? " as " : " to ") + fs_path_text(operation.to);
  case FsAct::kSymlink:
    return out + " with target " + fs_path_text(operation.to);
  case FsAct::kOpen:
    return out + " as " + handle;
  default:
    return out;
  }
}

std::string fs_text(std::span<const FsOperation> program) {
  std::string out;
  for (size_t i = 0; i < program.size(); ++i) {
    out += std::to_string(i + 1) + " " + fs_text(program[i]) + "\n";
  }
  return out;
}

} // namespace kiln::gen
