#include "kernel-src/fs/ext2/node.h"

namespace clay::ext2 {

Result<Ref<Node>> Ext2Node::create(StringView name, NodeKind kind, uint16_t permissions) {
  if (kind != NodeKind::kFile && kind != NodeKind::kDirectory) {
    return Error::kInvalid;
  }
  return filesystem_.create(*inode_, name, {kind, permissions, {}});
}

Result<Ref<Node>> Ext2Node::symlink(StringView name, StringView target) {
  constexpr uint16_t kAll = 0777;
  return filesystem_.create(*inode_, name, {NodeKind::kSymlink, kAll, target});
}

} // namespace clay::ext2
