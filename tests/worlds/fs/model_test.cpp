// The model filesystem, where it decides what others are judged by.

#include <gtest/gtest.h>

#include "generators/fs_vfs.h"
#include "worlds/fs/model.h"
#include "worlds/fs/vfs_model.h"

namespace kiln::worlds {
namespace {

using gen::FsAct;
using gen::FsOperation;
using gen::FsPath;

const FsPath kRoot;
const FsPath kA = kRoot.child(0);
const FsPath kB = kRoot.child(1);
const FsPath kD = kRoot.child(3);

FsOperation on(FsAct act, const FsPath& path, const FsPath& to = {}) {
  FsOperation operation;
  operation.act = act;
  operation.path = path;
  operation.to = to;
  return operation;
}

FsOperation write(const FsPath& path, uint64_t offset, uint32_t length, uint8_t fill) {
  FsOperation operation = on(FsAct::kWrite, path);
  operation.offset = offset;
  operation.length = length;
  operation.fill = fill;
  return operation;
}

void expect_done(FsModel& model, const FsOperation& operation) {
  const FsErrors errors = model.errors(operation);
  EXPECT_TRUE(errors.empty()) << fs_text(operation) << ": " << errors.text();
  if (errors.empty()) model.apply(operation);
}

TEST(FsModel, HoldsWhatAFlatArrayHolds) {
  sim::Tape tape(sim::SeededInput{"fs-model", 1, 1, 1 << 16});
  auto data = tape.data();
  FsModel model;
  expect_done(model, on(FsAct::kCreate, kA));
  std::vector<uint8_t> flat;
  for (unsigned step = 0; step < 600; ++step) {
    if (data.below(4) == 3) {
      FsOperation cut = on(FsAct::kTruncate, kA);
      cut.offset = data.below(300);
      expect_done(model, cut);
      flat.resize(cut.offset);
    } else {
      const auto next = write(kA, data.below(250), static_cast<uint32_t>(data.below(60)),
                              static_cast<uint8_t>(step));
      expect_done(model, next);
      if (next.length != 0) flat.resize(std::max<size_t>(flat.size(), next.offset + next.length));
      for (uint64_t at = next.offset; at < next.offset + next.length; ++at) {
        flat[at] = gen::fs_byte(next.fill, at);
      }
    }
    ASSERT_EQ(model.node(1).bytes, flat.size());
    ASSERT_FALSE(model.differs(1, 0, flat)) << "step " << step;
    for (size_t i = 1; i < model.node(1).extents.size(); ++i) {
      ASSERT_LE(model.node(1).extents[i - 1].end, model.node(1).extents[i].begin);
    }
  }
}

TEST(FsModel, ACopyKeepsWhatThereWas) {
  FsModel model;
  expect_done(model, on(FsAct::kCreate, kA));
  expect_done(model, write(kA, 0, 8, 1));
  const FsModel before = model;
  EXPECT_TRUE(model.same_node(before, 1));
  expect_done(model, on(FsAct::kUnlink, kA));
  EXPECT_FALSE(model.lives(1));
  EXPECT_EQ(before.node(1).bytes, 8u);
  EXPECT_TRUE(before.find(kA));
}

TEST(FsModel, AllThatIsWrongIsARightAnswer) {
  FsModel model;
  expect_done(model, on(FsAct::kMakeDirectory, kD));
  expect_done(model, on(FsAct::kCreate, kD.child(0)));
  EXPECT_EQ(model.errors(on(FsAct::kRename, kD, kD.child(0))),
            FsErrors(FsError::kInvalid) | FsError::kNotDirectory);
  EXPECT_EQ(model.errors(on(FsAct::kLink, kD, kD)),
            FsErrors(FsError::kNotPermitted) | FsError::kExists);
  EXPECT_TRUE(model.errors(on(FsAct::kRename, kD, kD)).empty());
  model.read_only = true;
  EXPECT_EQ(model.errors(on(FsAct::kUnlink, kB)),
            FsErrors(FsError::kNotFound) | FsError::kReadOnly);
}

TEST(FsModel, AnOpenFileOutlivesItsName) {
  FsModel model;
  expect_done(model, on(FsAct::kCreate, kA));
  expect_done(model, on(FsAct::kOpen, kA));
  expect_done(model, on(FsAct::kUnlink, kA));
  ASSERT_TRUE(model.lives(1));
  EXPECT_EQ(model.node(1).links, 0u);
  FsPath opened;
  opened.at = 1;
  EXPECT_EQ(model.errors(on(FsAct::kLink, opened, kB)), FsErrors(FsError::kNotFound));
  expect_done(model, on(FsAct::kClose, kRoot));
  EXPECT_FALSE(model.lives(1));
}

gen::VfsOperation by_path(const FsOperation& plain) {
  gen::VfsOperation operation;
  operation.plain = plain;
  return operation;
}

TEST(VfsModel, WaysUpLeadOutOfMounts) {
  VfsModel model{FsLimits{}};
  const auto done = [&model](const gen::VfsOperation& operation) {
    const VfsVerdict verdict = model.judge(operation);
    EXPECT_TRUE(verdict.errors.empty()) << vfs_text(operation) << ": " << verdict.errors.text();
    model.apply(operation, verdict);
  };
  done(by_path(on(FsAct::kMakeDirectory, kD)));
  gen::VfsOperation mount = by_path(on(FsAct::kList, kD));
  mount.act = gen::VfsAct::kMount;
  done(mount);
  done(by_path(on(FsAct::kMakeDirectory, kD.child(0))));
  const auto stat = [&model](const FsPath& path) {
    return *model.judge(by_path(on(FsAct::kStat, path))).place;
  };
  EXPECT_EQ(stat(kD), (VfsPlace{1, 0}));
  EXPECT_EQ(stat(kD.child(0)), (VfsPlace{1, 1}));
  EXPECT_EQ(stat(kD.child(0).child(gen::kFsDotDot)), (VfsPlace{1, 0}));
  EXPECT_EQ(stat(kD.child(gen::kFsDotDot)), (VfsPlace{0, 0}));
  EXPECT_EQ(stat(kRoot.child(gen::kFsDotDot)), (VfsPlace{0, 0}));
  EXPECT_TRUE(model.judge(by_path(on(FsAct::kRemoveDirectory, kD))).errors.has(FsError::kBusy));
  EXPECT_EQ(model.judge(by_path(on(FsAct::kRename, kD.child(0), kA))).errors,
            FsErrors(FsError::kUnsupported));
}

} // namespace
} // namespace kiln::worlds
