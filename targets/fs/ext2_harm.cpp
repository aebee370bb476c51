#include "targets/fs/ext2_harm.h"

#include <algorithm>
#include <vector>

#include "worlds/ext2/problem.h"
#include "worlds/ext2/reader.h"

namespace kiln::fs {

using worlds::ext2::Found;
using worlds::ext2::Gravity;
using worlds::ext2::InodeFacts;
using worlds::ext2::Problem;
using worlds::ext2::ProblemSet;
using worlds::ext2::Reader;

namespace {

/// Of what is in the middle of something.
ProblemSet harmless() {
  ProblemSet out;
  for (const Problem problem : {Problem::kEntryKind, Problem::kEntryNoKind, Problem::kSecondParent,
                                Problem::kParent, Problem::kLinksTooFew, Problem::kSizeTooSmall}) {
    out.add(problem);
  }
  return out;
}

/// What is reached from the root, and the blocks that it needs.
class Reached {
 public:
  explicit Reached(const worlds::ext2::ImageView& image) : reader_(image) {
    add(worlds::ext2::kRootInode);
    for (size_t i = 0; i < inodes_.size(); ++i) {
      look_at(inodes_[i]);
    }
  }

  bool has_inode(uint32_t number) const { return has(inodes_, number); }
  bool needs_block(uint64_t number) const { return has(blocks_, static_cast<uint32_t>(number)); }

 private:
  static bool has(const std::vector<uint32_t>& list, uint32_t number) {
    return std::find(list.begin(), list.end(), number) != list.end();
  }
  void add(uint32_t inode) {
    if (!has(inodes_, inode)) inodes_.push_back(inode);
  }

  void look_at(uint32_t number) {
    const auto inode = reader_.inode(number);
    if (!inode) return;
    const bool directory = inode->kind == worlds::ext2::FileKind::kDirectory;
    if (directory || inode->kind == worlds::ext2::FileKind::kFile) add_blocks(*inode);
    if (!directory) return;
    std::vector<uint8_t> storage;
    std::vector<worlds::ext2::DirectoryEntry> entries;
    reader_.list(*inode, storage, entries);
    for (const worlds::ext2::DirectoryEntry& entry : entries) {
      if (entry.name != "." && entry.name != "..") add(entry.inode);
    }
  }

  void add_blocks(const InodeFacts& inode) {
    constexpr uint64_t kMost = 4096; // the rest of what is huge is holes
    const uint64_t blocks = (inode.bytes + reader_.block_bytes() - 1) / reader_.block_bytes();
    for (uint64_t index = 0; index < std::min(blocks, kMost); ++index) {
      const auto block = reader_.block_of(inode, index);
      if (block && *block != 0) blocks_.push_back(*block);
    }
  }

  Reader reader_;
  std::vector<uint32_t> inodes_;
  std::vector<uint32_t> blocks_;
};

bool is_harmless(const Found& found, const Reached& reached) {
  const Gravity gravity = gravity_of(found.problem);
  if (gravity == Gravity::kCount || gravity == Gravity::kLeak) return true;
  if (gravity == Gravity::kDoubleUse) return false;
  if (found.problem == Problem::kBlockMarkedFree) return !reached.needs_block(found.block);
  // A problem of an inode; of a name, that of its directory.
  return found.inode != 0 && !reached.has_inode(found.inode);
}

} // namespace

std::optional<std::string> harm_of_cut(const worlds::ext2::Verdict& verdict,
                                       const worlds::ext2::ImageView& image) {
  if (verdict.within_cut(harmless())) return {};
  if (verdict.double_use()) return verdict.words();
  const Reached reached(image);
  const ProblemSet also = harmless();
  std::string out;
  for (const Found& found : verdict.found()) {
    if (also.has(found.problem) || is_harmless(found, reached)) continue;
    out += describe(found) + "\n";
  }
  if (out.empty()) return {};
  return out;
}

} // namespace kiln::fs
