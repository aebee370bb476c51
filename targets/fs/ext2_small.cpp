// All small programs on a small fresh ext2, with all that a loss of power may leave.
//
// Input n is program n of up to three operations (generators/fs.h). It runs once. Right before
// anything becomes durable, and at the end, every subset of the pending sectors is a state that a
// cut by then may have left (worlds/disk/crash_states.h). Each different one is judged as it lies
// there, mounted, compared with the history as of that moment, unmounted, and must be sound. Of
// programs of up to two operations the recovery is cut in all these ways as well, and the recovery
// from that.
//
// The probes count: `kiln fs/ext2-small --json FILE` says how many states there were.

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/exhibit.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/fs/answer.h"
#include "targets/fs/ext2_cut.h"
#include "targets/fs/ext2_disk.h"
#include "targets/fs/node_driver.h"
#include "worlds/disk/crash_states.h"
#include "worlds/disk/show.h"
#include "worlds/fs/history.h"

namespace kiln::fs {
namespace {

using gen::FsOperation;
using worlds::CrashStates;
using worlds::Disk;
using worlds::FsFound;
using worlds::FsHistory;
using worlds::FsMoment;
using worlds::Medium;
using worlds::ext2::stock;

constexpr const char* kTarget = "fs/ext2-small";
const sim::Probe kStates{kTarget, "a state that a cut may leave"};
const sim::Probe kRecovered{kTarget, "a state that is recovered: no other was like it"};
const sim::Probe kInRecovery{kTarget, "a state that a cut in recovery may leave"};
const sim::Probe kJudgedAgain{kTarget, "a state that is judged again at a later moment"};
const sim::Probe kHarmless{kTarget, "a state that is not sound"};

constexpr unsigned kMostOperations = 3;
/// Of one moment: no program has more.
constexpr uint64_t kMostStates = 4096;
/// Programs up to here are cut in recovery too.
constexpr unsigned kCutInRecovery = 2;
constexpr unsigned kDeepest = 2;

worlds::DiskShape shape_of(const worlds::ext2::Stock& stock) {
  worlds::DiskShape shape;
  shape.sectors = stock.bytes.size() / shape.sector_bytes;
  return shape;
}

class Small {
 public:
  explicit Small(gen::FsProgram program)
      : program_(std::move(program)), stock_(stock(0)), limits_(ext2_limits(stock_.shape)),
        shape_(shape_of(stock_)), room_(shape_, stock_),
        history_(stock_.model(limits_), stock_.numbers) {}

  void run() {
    room_.disk.watch(
        [](const Disk& disk, void* self) { static_cast<Small*>(self)->gather(disk, 0); }, this);
    work();
    unmount();
    room_.disk.watch(nullptr, nullptr);
    // `todo_` grows while recoveries are cut.
    for (size_t i = 0; i < todo_.size(); ++i) {
      at_ = i;
      look_at(i);
      todo_[i].medium = Medium(0, shape_.sector_bytes);
    }
  }

 private:
  struct State {
    Medium medium;
    uint64_t hash;
    FsMoment moment;
    unsigned depth;
  };

  // --- The program, without a loss of power

  void work() {
    const auto mounted = room_.mount();
    KILN_CHECK(mounted.ok(), "the fresh image cannot be mounted: %s", text_of(failure_of(mounted)));
    auto root = room_.fs().root();
    KILN_CHECK(root.ok(), "there is no root: %s", text_of(failure_of(root)));
    NodeDriver driver(root.take());
    for (const FsOperation& operation : program_) {
      const worlds::FsErrors expected = history_.now().errors(operation);
      history_.begin(0, operation);
      const Answer answer = driver.perform(operation);
      KILN_CHECK(answer.failure ? expected.has(*answer.failure) : expected.empty(),
                 "\"%s\" gives %s, not %s", gen::fs_text(operation).c_str(),
                 text_of(answer.failure), expected.text().c_str());
      if (answer.failure) {
        history_.failed(0, false);
      } else if (const auto made = history_.succeeded(0)) {
        history_.set_number(*made, answer.node->stat().number);
      }
      gather(room_.disk, 0);
    }
    FsOperation end;
    end.act = gen::FsAct::kRemount;
    history_.begin(0, end);
  }

  void unmount() {
    const auto unmounted = room_.unmount();
    KILN_CHECK(unmounted.ok(), "it cannot be unmounted: %s", text_of(failure_of(unmounted)));
    history_.succeeded(0);
    judge_sound(room_, history_, history_.moment(), checker_);
  }

  // --- States

  void gather(const Disk& disk, unsigned depth) {
    const CrashStates states(disk);
    const FsMoment moment = depth == 0 ? history_.moment() : todo_[at_].moment;
    KILN_CHECK(states.count() <= kMostStates, "a cut may leave %lu states", states.count());
    for (uint64_t k = 0; k < states.count(); ++k) {
      const uint64_t hash = states.hash(k);
      auto& seen = seen_[hash];
      if (std::find(seen.begin(), seen.end(), moment) != seen.end()) continue;
      seen.push_back(moment);
      todo_.push_back({states.state(k), hash, moment, depth});
    }
  }

  void look_at(size_t index) {
    sim::machine().got_further();
    kStates.hit();
    const uint64_t hash = todo_[index].hash; // todo_ may grow
    const FsMoment moment = todo_[index].moment;
    if (todo_[index].depth != 0) kInRecovery.hit();
    const auto known = found_.find(hash);
    if (known != found_.end()) {
      kJudgedAgain.hit();
      const worlds::FsVerdict verdict = fs_judge(history_, moment, known->second);
      KILN_CHECK(verdict.right(), "after a loss of power: %s", verdict.wrong.c_str());
      return;
    }
    kRecovered.hit();
    found_.emplace(hash, recover(index));
  }

  FsFound recover(size_t index) {
    // A copy: `todo_` may grow.
    Ext2Disk room(shape_, todo_[index].medium);
    const FsMoment moment = todo_[index].moment;
    room.disk.log().keep(false);
    const bool cut = program_.size() <= kCutInRecovery && todo_[index].depth < kDeepest;
    if (cut) {
      room.disk.watch(
          [](const Disk& disk, void* self) { static_cast<Small*>(self)->gather_again(disk); },
          this);
    }
    bool sound = false;
    FsFound found = judge_cut(room, history_, moment, checker_, sound);
    room.disk.watch(nullptr, nullptr);
    if (!sound) kHarmless.hit();
    return found;
  }

  void gather_again(const Disk& disk) { gather(disk, todo_[at_].depth + 1); }

  static void show(sim::Exhibitor& to, void* self) {
    const auto& small = *static_cast<const Small*>(self);
    to.text("Operations", small.history_.text());
    to.text("Model", small.history_.now().text());
    worlds::show_disk(small.room_.disk, to);
    if (small.at_ >= small.todo_.size()) return;
    const State& state = small.todo_[small.at_];
    Disk cut(small.shape_, state.medium);
    worlds::show_disk(cut, to, "Disk after the cut", "cut.img");
    to.text("When", "after state " + std::to_string(state.moment.states - 1) + " of the model, " +
                        std::to_string(state.depth) + " recoveries deep");
  }

  const gen::FsProgram program_;
  const worlds::ext2::Stock& stock_;
  const worlds::FsLimits limits_;
  const worlds::DiskShape shape_;
  Ext2Disk room_;
  FsHistory history_;
  worlds::ext2::Checker checker_;
  std::vector<State> todo_;
  size_t at_ = SIZE_MAX; ///< of todo_, that is being looked at
  std::unordered_map<uint64_t, std::vector<FsMoment>> seen_;
  std::unordered_map<uint64_t, FsFound> found_; ///< what recovery leads to
  sim::Exhibit exhibit_{show, this};
};

void run(sim::Run& run) {
  const auto alphabet = gen::fs_small_alphabet(stock(0).shape.block_bytes);
  const uint64_t number = run.tape.data().u64();
  if (number >= gen::fs_programs(alphabet.size(), kMostOperations)) return;
  Small small(gen::fs_program_of_number(alphabet, number));
  small.run();
}

constexpr uint64_t kAlphabet = 22;
constexpr uint64_t kAll = kAlphabet + kAlphabet * kAlphabet + kAlphabet * kAlphabet * kAlphabet;

sim::Target target{{
    .name = kTarget,
    .purpose = "All programs of up to 3 operations on a small ext2, and all that a cut may leave.",
    .run = run,
    .gate_inputs = 900,
    .quick_inputs = 200,
    .nightly_inputs = kAll,
    .longest_tape = 64,
    .tags = "fs,ext2,crash",
    .numbered = true,
}};

} // namespace
} // namespace kiln::fs
