// The oracle for durability and atomicity, on trees that are put together by hand.

#include <functional>
#include <gtest/gtest.h>

#include "worlds/fs/history.h"

namespace kiln::worlds {
namespace {

using gen::FsAct;
using gen::FsName;
using gen::FsOperation;
using gen::FsPath;

constexpr FsName kA = 0;
constexpr FsName kB = 1;
constexpr FsName kD = 3;

FsPath path(std::initializer_list<FsName> names) {
  FsPath out;
  for (const FsName name : names) {
    out = out.child(name);
  }
  return out;
}

/// The tree of a model, as a filesystem would show it whose node n has inode n + 2.
FsFound tree_of(const FsModel& model) {
  FsFound found;
  std::vector<FsNodeId> ids = {0};
  found.nodes.emplace_back();
  for (uint32_t at = 0; at < ids.size(); ++at) {
    const FsNode& node = model.node(ids[at]);
    FsFoundNode out{.number = ids[at] + 2,
                    .kind = node.kind,
                    .permissions = node.permissions,
                    .links = node.links,
                    .bytes = node.bytes,
                    .first_entry = static_cast<uint32_t>(found.entries.size()),
                    .first_piece = static_cast<uint32_t>(found.pieces.size())};
    for (const FsEntry& entry : node.entries) {
      auto child = found.find(entry.node + 2);
      if (!child) {
        child = static_cast<uint32_t>(ids.size());
        ids.push_back(entry.node);
        found.nodes.push_back({.number = entry.node + 2});
      }
      found.entries.push_back({entry.name, *child});
      ++out.entries;
    }
    std::vector<uint8_t> bytes(node.bytes);
    if (node.kind == FsKind::kSymlink) {
      const std::string target = gen::fs_path_bytes(node.target);
      bytes.assign(target.begin(), target.end());
    } else {
      model.read(ids[at], 0, bytes);
    }
    if (!bytes.empty()) {
      const auto begin = static_cast<uint32_t>(found.bytes.size());
      found.pieces.push_back({0, begin, static_cast<uint32_t>(bytes.size())});
      found.bytes.insert(found.bytes.end(), bytes.begin(), bytes.end());
      out.pieces = 1;
    }
    found.nodes[at] = out;
  }
  return found;
}

class History : public testing::Test {
 protected:
  FsOperation make(FsAct act, const FsPath& at, const FsPath& to = {}) {
    FsOperation operation;
    operation.act = act;
    operation.path = at;
    operation.to = to;
    return operation;
  }
  FsOperation write(const FsPath& at, uint64_t offset, uint32_t length) {
    FsOperation operation = make(FsAct::kWrite, at);
    operation.offset = offset;
    operation.length = length;
    operation.fill = ++fill_;
    return operation;
  }
  FsOperation truncate(const FsPath& at, uint64_t bytes) {
    FsOperation operation = make(FsAct::kTruncate, at);
    operation.offset = bytes;
    return operation;
  }

  void done(const FsOperation& operation) {
    EXPECT_TRUE(history_.now().errors(operation).empty()) << gen::fs_text(operation);
    history_.begin(0, operation);
    history_.succeeded(0);
    for (FsNodeId id = 0; id < history_.now().nodes(); ++id) {
      if (history_.now().lives(id)) history_.set_number(id, id + 2);
    }
  }
  void done(FsAct act, const FsPath& at = {}, const FsPath& to = {}) { done(make(act, at, to)); }

  std::string wrong_with(const FsFound& found) {
    return fs_judge(history_, history_.moment(), found).wrong;
  }
  /// Of the tree as it is now, or as it was before the last `back` changes, changed by hand.
  std::string wrong_with(const std::function<void(FsModel&)>& change = {}, uint32_t back = 0) {
    FsModel model = history_.state(history_.moment().states - 1 - back);
    if (change) change(model);
    return wrong_with(tree_of(model));
  }

  FsHistory history_{FsModel()};
  uint8_t fill_ = 0;
};

TEST_F(History, EachOperationHasHappenedOrNot) {
  done(FsAct::kCreate, path({kA}));
  done(FsAct::kCreate, path({kB}));
  EXPECT_EQ(wrong_with(), "");
  EXPECT_EQ(wrong_with({}, 1), "");
  EXPECT_EQ(wrong_with({}, 2), "");
  EXPECT_EQ(wrong_with([](FsModel& model) { model.unlink(0, kA); }), "");
}

TEST_F(History, WhatWasSyncedIsThere) {
  done(FsAct::kCreate, path({kA}));
  done(write(path({kA}), 0, 100));
  done(FsAct::kSync);
  EXPECT_EQ(wrong_with(), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.unlink(0, kA); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.truncate(1, 99); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.write(1, 50, 1, 99); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) {
              model.truncate(1, 50);
              model.truncate(1, 100);
            }),
            "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.make(0, kB, FsKind::kFile, 0); }), "");
}

TEST_F(History, AnFsyncIsOfOneNodeAndTheWayToIt) {
  done(FsAct::kMakeDirectory, path({kD}));
  done(FsAct::kCreate, path({kD, kA}));
  done(FsAct::kCreate, path({kD, kB}));
  done(write(path({kD, kA}), 0, 8));
  done(write(path({kD, kB}), 0, 8));
  done(FsAct::kSyncNode, path({kD, kA}));
  EXPECT_EQ(wrong_with([](FsModel& model) { model.unlink(1, kB); }), "");
  EXPECT_EQ(wrong_with([](FsModel& model) { model.truncate(3, 0); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.unlink(1, kA); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.truncate(2, 0); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) {
              model.unlink(1, kA);
              model.unlink(1, kB);
              model.remove(0, kD);
            }),
            "");
}

TEST_F(History, ARenameLeavesOneName) {
  done(FsAct::kCreate, path({kA}));
  done(FsAct::kMakeDirectory, path({kD}));
  done(FsAct::kSync);
  done(FsAct::kRename, path({kA}), path({kD, kA}));
  EXPECT_EQ(wrong_with(), "");
  EXPECT_EQ(wrong_with({}, 1), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.link(1, 0, kA); }), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.unlink(2, kA); }), "");
}

TEST_F(History, ADirectoryHasOneName) {
  done(FsAct::kMakeDirectory, path({kA}));
  done(FsAct::kMakeDirectory, path({kD}));
  done(FsAct::kSync);
  done(FsAct::kRename, path({kA}), path({kD, kA}));
  EXPECT_EQ(wrong_with(), "");
  FsFound both = tree_of(history_.now());
  const uint32_t moved = *both.find(3);
  both.entries[both.nodes[0].first_entry] = {kD, *both.find(4)};
  both.entries.insert(both.entries.begin(), {kA, moved});
  both.nodes[0].entries = 2;
  for (uint32_t i = 1; i < both.nodes.size(); ++i) {
    ++both.nodes[i].first_entry;
  }
  ++both.nodes[0].links;
  EXPECT_NE(wrong_with(both).find("2 names"), std::string::npos) << wrong_with(both);
}

TEST_F(History, WhatARenameReplacesIsNeverMissing) {
  done(FsAct::kCreate, path({kA}));
  done(FsAct::kCreate, path({kB}));
  done(FsAct::kSync);
  done(FsAct::kRename, path({kA}), path({kB}));
  EXPECT_EQ(wrong_with(), "");
  EXPECT_EQ(wrong_with({}, 1), "");
  EXPECT_NE(wrong_with([](FsModel& model) { model.unlink(0, kB); }, 1), "");
}

TEST_F(History, ContentsAreAMixtureOfWhatTheyWere) {
  done(FsAct::kCreate, path({kA}));
  done(write(path({kA}), 0, 2000));
  done(FsAct::kSync);
  done(write(path({kA}), 2000, 500));
  done(write(path({kA}), 512, 1000));
  FsFound found = tree_of(history_.now());
  const auto bytes = std::span(found.bytes).first(2500);
  EXPECT_EQ(wrong_with(found), "");
  gen::fs_fill(1, 600, bytes.subspan(600, 100)); // the old ones
  EXPECT_EQ(wrong_with(found), "");

  const FsVerdict verdict = fs_judge(history_, history_.moment(), found);
  FsHistory later = FsHistory::after(verdict, found, {});
  EXPECT_EQ(fs_difference(tree_of(later.now()), found), "") << later.now().text();
  EXPECT_EQ(fs_judge(later, later.moment(), found).wrong, "");

  FsFound stale = found;
  gen::fs_fill(77, 2150, std::span(stale.bytes).subspan(2150, 1));
  EXPECT_NE(wrong_with(stale), "");
  FsFound unwritten = found; // a size comes with what it covers
  unwritten.bytes[2100] = 0;
  EXPECT_NE(wrong_with(unwritten), "");
  FsFound hole = found;
  hole.bytes[300] = 0;
  EXPECT_NE(wrong_with(hole), "");
  FsFound moved = found; // right bytes at another place
  gen::fs_fill(3, 2000, std::span(moved.bytes).subspan(2300, 8));
  EXPECT_NE(wrong_with(moved), "");
}

TEST_F(History, CutAndGrownAgainIsZeros) {
  done(FsAct::kCreate, path({kA}));
  done(write(path({kA}), 0, 100));
  done(truncate(path({kA}), 10));
  done(FsAct::kSync);
  done(truncate(path({kA}), 100));
  FsFound found = tree_of(history_.now());
  EXPECT_EQ(wrong_with(found), "");
  gen::fs_fill(1, 50, std::span(found.bytes).subspan(50, 8));
  EXPECT_NE(wrong_with(found), "");
}

TEST_F(History, UnderWayIsEither) {
  done(FsAct::kCreate, path({kA}));
  done(FsAct::kSync);
  history_.begin(0, make(FsAct::kUnlink, path({kA})));
  EXPECT_EQ(wrong_with(), "");
  EXPECT_EQ(wrong_with([](FsModel& model) { model.unlink(0, kA); }), "");
  history_.failed(0, false);
  EXPECT_NE(wrong_with([](FsModel& model) { model.unlink(0, kA); }), "");
}

TEST_F(History, FailedBecauseOfTheDiskIsEitherUntilTheNextSync) {
  history_.begin(0, make(FsAct::kCreate, path({kA})));
  history_.failed(0, true);
  done(FsAct::kCreate, path({kB}));
  EXPECT_EQ(wrong_with(), "");
  const auto with_a = [](FsModel& model) { model.make(0, kA, FsKind::kFile, 0644); };
  EXPECT_EQ(wrong_with(with_a), "");
  done(FsAct::kSync);
  EXPECT_NE(wrong_with(with_a), "");
}

TEST_F(History, ANumberMayBeTwoNodesInTurn) {
  done(FsAct::kCreate, path({kA}));
  done(write(path({kA}), 0, 8));
  done(FsAct::kUnlink, path({kA}));
  done(FsAct::kCreate, path({kA}));
  history_.set_number(2, 3); // as node 1 had
  done(write(path({kA}), 0, 4));
  history_.set_number(2, 3);
  for (uint32_t back = 0; back < 6; ++back) {
    FsFound found = tree_of(history_.state(history_.moment().states - 1 - back));
    if (found.nodes.size() == 2) found.nodes[1].number = 3;
    EXPECT_EQ(wrong_with(found), "") << back;
  }
}

TEST_F(History, SymlinksAreWhole) {
  done(make(FsAct::kSymlink, path({kA}), path({kD, kB})));
  EXPECT_EQ(wrong_with(), "");
  FsFound found = tree_of(history_.now());
  --found.nodes[1].bytes;
  --found.pieces.back().length;
  EXPECT_NE(wrong_with(found), "");
}

TEST_F(History, LinksAreNames) {
  done(FsAct::kCreate, path({kA}));
  done(FsAct::kLink, path({kA}), path({kB}));
  FsFound found = tree_of(history_.now());
  EXPECT_EQ(wrong_with(found), "");
  --found.nodes[1].links;
  EXPECT_NE(wrong_with(found), "");
}

} // namespace
} // namespace kiln::worlds
