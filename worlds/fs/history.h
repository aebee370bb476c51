#pragma once
// What may be there after a loss of power: the oracle for durability and atomicity.
//
//   FsHistory history(durable);                    // a model of what is safely on the disk
//   history.begin(task, operation);                // it is under way
//   ... the kernel does it ...
//   made = history.succeeded(task);                // or failed(task, whether either is possible)
//   history.set_number(*made, its inode number);
//   ... the power goes; the kernel mounts what is left, and reads it: `found` ...
//   FsVerdict verdict = fs_judge(history, history.moment(), found);
//   history = FsHistory::after(verdict, found);    // and on
//
// The rules. Of each name, each file's contents and each size one asks: since when is it durable
// (the last sync or fsync that covered it and returned success), and what has it been from then on?
//
//   names       (directory, name) leads to what it led to at one of those moments. A node that had
//               a name all the time has one still. A directory has exactly one name, a file no more
//               than it ever had: a rename leaves the old name or the new one
//   contents    each byte is what it was at one of those moments, from the first one on at which
//   the
//               file had the size that it has now: a size comes with what it covers. As every write
//               writes bytes of its own, old data of others is told
//   size        one that it had
//   the rest    kind, permissions and a symlink's target, whole; as many links as names
//
// An operation that is under way when the power goes has happened or has not. So has one that
// failed because of the disk: what it has changed on the disk is not known. Other failed operations
// have changed nothing.
//
// Nodes are told by their inode numbers, as the kernel named them. One number may have been two
// nodes' in turn.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "generators/fs.h"
#include "worlds/fs/found.h"
#include "worlds/fs/model.h"

namespace kiln::worlds {

/// A moment at which the power may go.
struct FsMoment {
  static constexpr unsigned kTasks = 4;

  uint32_t states = 0; ///< that there were by then
  uint32_t marks = 0;
  std::array<uint32_t, kTasks> asides = {}; ///< outcomes of what was under way
  uint8_t asides_count = 0;

  bool operator==(const FsMoment&) const = default;
};

struct FsVerdict;

class FsHistory {
 public:
  /// `numbers`: of the durable nodes, by FsNodeId; 0: not known.
  explicit FsHistory(FsModel durable, std::vector<uint64_t> numbers = {});
  /// What goes on from a tree that was found after the power came back and judged right.
  static FsHistory after(const FsVerdict& verdict, const FsFound& found, const FsLimits& limits);

  const FsModel& now() const { return states_.back(); }

  /// The task's operation is under way.
  void begin(unsigned task, const gen::FsOperation& operation);
  /// It has succeeded, as the model said it may. The node that it made or opened, if so.
  std::optional<FsNodeId> succeeded(unsigned task);
  /// It has failed. `either`: because of the disk, so that the disk may hold what it did.
  void failed(unsigned task, bool either);
  /// The inode number that the filesystem says a node has.
  void set_number(FsNodeId node, uint64_t number);
  const std::vector<uint64_t>& numbers() const { return numbers_; }
  uint64_t number(FsNodeId node) const { return node < numbers_.size() ? numbers_[node] : 0; }
  /// All that has been done is durable: an unmount has succeeded.
  void all_durable();

  /// Now.
  FsMoment moment();

  // --- For the judge, and for reports

  /// What is known to be durable: `from` is the number of the first state that may be found.
  struct Mark {
    enum class What : uint8_t { kAll, kNode, kDirectory, kName } what;
    gen::FsName name;
    FsNodeId node; ///< of a name: the directory
    uint32_t from;
  };
  const FsModel& state(uint32_t number) const { return states_[number]; }
  const FsModel& aside(uint32_t number) const { return asides_[number]; }
  const std::vector<Mark>& marks() const { return marks_; }

  /// A part of a file.
  struct Place {
    uint64_t begin;
    uint64_t end;
  };
  /// Where a file of this number may hold anything but zeros, a little more, and its ends: what is
  /// worth reading of a large one. Of what is under way, only what moment() has been asked about.
  /// Sorted and apart.
  std::vector<Place> places(uint64_t number, uint64_t bytes) const;
  /// The operations, and what became of each, in words.
  std::string text() const;

 private:
  struct UnderWay {
    gen::FsOperation operation;
    uint32_t from = 0;       ///< number of the newest state when it began
    uint32_t aside = 0;      ///< in asides_
    uint32_t aside_from = 0; ///< the state that `aside` was made from, and one; 0: none yet
    bool active = false;
  };
  struct Done {
    gen::FsOperation operation;
    enum class How : uint8_t { kUnderWay, kSucceeded, kFailed, kEither } how;
    uint8_t task;
  };

  void push(FsModel model);
  /// The outcome of what is under way, if it can have one: made once.
  std::optional<uint32_t> outcome(UnderWay& under_way);
  void mark_durable(const UnderWay& under_way);
  void mark_node(FsNodeId node, uint32_t from);

  // Whoever has one keeps it while there come more.
  std::deque<FsModel> states_; ///< the last one is now
  std::deque<FsModel> asides_;
  std::vector<Mark> marks_;
  std::vector<uint64_t> numbers_;
  std::vector<Done> done_;
  std::array<UnderWay, FsMoment::kTasks> under_way_;
};

/// What the judge made of a tree.
struct FsVerdict {
  struct Node {
    std::vector<FsNodeId> ids;     ///< which nodes it may be: the first is the one
    std::vector<FsExtent> extents; ///< of a file: which writes its bytes come from
    gen::FsPath target;            ///< of a symlink
  };
  std::string wrong;       ///< a sentence; empty: all is as it may be
  std::vector<Node> nodes; ///< as in FsFound
  uint32_t mixtures = 0;   ///< files whose contents are of several states

  bool right() const { return wrong.empty(); }
};

FsVerdict fs_judge(const FsHistory& history, const FsMoment& moment, const FsFound& found);

} // namespace kiln::worlds
