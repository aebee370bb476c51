#include "worlds/ext2/problem.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace kiln::worlds::ext2 {
namespace {

struct Row {
  const char* name;
  Gravity gravity;
  const char* text;
};
constexpr Row kRows[] = {
#define X(name, gravity, text) {#name, Gravity::gravity, text},
    KILN_EXT2_PROBLEMS(X)
#undef X
};

constexpr size_t kGravities = 4;
constexpr std::array<ProblemSet, kGravities> sets_by_gravity() {
  std::array<ProblemSet, kGravities> sets;
  for (size_t i = 0; i < kProblems; ++i) {
    sets[static_cast<size_t>(kRows[i].gravity)].words[i / 64] |= uint64_t{1} << (i % 64);
  }
  return sets;
}
constexpr std::array<ProblemSet, kGravities> kSets = sets_by_gravity();

const Row& row(Problem problem) { return kRows[static_cast<size_t>(problem)]; }

/// How `got` reads where it is no number beside one that would be right; null where it is.
const char* format_of(Problem problem) {
  switch (problem) {
  case Problem::kUnknownFeature:
  case Problem::kInodeFlags:
    return "0x%" PRIx64;
  case Problem::kInodeMode:
  case Problem::kRootKind:
  case Problem::kUnusedNotDeleted:
    return "mode 0%" PRIo64;
  case Problem::kBlockTwice:
    return "also inode %" PRIu64 "'s";
  case Problem::kOrphanList:
  case Problem::kOrphans:
  case Problem::kEntryInode:
  case Problem::kEntryReserved:
  case Problem::kEntryUnused:
  case Problem::kDot:
  case Problem::kDotDot:
  case Problem::kExtraDot:
  case Problem::kDuplicateName:
  case Problem::kLinkToRoot:
  case Problem::kSecondParent:
    return "for inode %" PRIu64;
  case Problem::kRevision:
  case Problem::kRevisionFeatures:
  case Problem::kBlockSize:
  case Problem::kInodeSize:
  case Problem::kFirstInode:
  case Problem::kBlocksPerGroup:
  case Problem::kInodesPerGroup:
  case Problem::kReservedBlocks:
  case Problem::kReservedTable:
  case Problem::kDeletedInUse:
  case Problem::kStrayOrphan:
  case Problem::kIllegalBlock:
  case Problem::kReservedLinks:
  case Problem::kSizeUncounted:
  case Problem::kLargeFileFeature:
  case Problem::kInodeExtra:
  case Problem::kEntryLength:
  case Problem::kEntryName:
    return "%" PRIu64;
  default:
    return nullptr;
  }
}

/// Problems of a group as such: group 0 is named, too.
bool is_of_group(Problem problem) {
  return (problem >= Problem::kBlockBitmapPlace && problem <= Problem::kGroupOverlap) ||
         (problem >= Problem::kBlockMarkedFree && problem <= Problem::kGroupDirectories);
}

} // namespace

Gravity gravity_of(Problem problem) { return row(problem).gravity; }
const char* name_of(Problem problem) { return row(problem).name + 1; }
const char* text_of(Problem problem) { return row(problem).text; }
const ProblemSet& problems_of(Gravity gravity) { return kSets[static_cast<size_t>(gravity)]; }

const char* name_of(Gravity gravity) {
  constexpr const char* kNames[kGravities] = {"count", "leak", "structure", "double use"};
  return kNames[static_cast<size_t>(gravity)];
}

std::string describe(const Found& found) {
  char place[200];
  size_t at = 0;
  const auto add = [&](const char* format, auto... values) {
    const int wrote = std::snprintf(place + at, sizeof place - at, format, values...);
    if (wrote > 0) at += static_cast<size_t>(wrote);
  };
  const auto comma = [&] { add("%s", at == 0 ? "" : ", "); };
  place[0] = 0;
  if (found.group != 0 || is_of_group(found.problem)) add("group %u", found.group);
  if (found.inode != 0) comma(), add("inode %u", found.inode);
  if (found.block != 0) comma(), add("block %" PRIu64, found.block);
  if (found.at != 0) add("%sbyte %u", found.block != 0 ? " " : at == 0 ? "" : ", ", found.at);
  if (const char* format = format_of(found.problem); format != nullptr) {
    if (found.got != 0) comma(), add(format, found.got);
  } else if (found.got != 0 || found.want != 0) {
    comma(), add("%" PRIu64 " where %" PRIu64 " is right", found.got, found.want);
  }
  std::string text = std::string(name_of(found.problem)) + ": " + text_of(found.problem);
  return at == 0 ? text : text + " (" + place + ")";
}

} // namespace kiln::worlds::ext2
