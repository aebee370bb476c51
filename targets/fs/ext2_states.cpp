// What a cut might have left at moments when none came: while something becomes durable, some of
// the states that the disk could be in then are kept, and judged later.

#include <algorithm>

#include "sim/machine.h"
#include "targets/fs/ext2_cut.h"
#include "targets/fs/ext2_probes.h"
#include "targets/fs/ext2_world.h"
#include "worlds/disk/crash_states.h"

namespace kiln::fs {

using worlds::Disk;
using worlds::FsMoment;
using worlds::Medium;

void Ext2World::watch() {
  if (!features_.watched || lost_) return;
  room_.disk.watch(
      [](const Disk& disk, void* self) { static_cast<Ext2World*>(self)->gather(disk); }, this);
}

void Ext2World::gather(const Disk& disk) {
  constexpr size_t kMostCuts = 32;
  constexpr unsigned kAtOnce = 2;
  if (cuts_.size() >= kMostCuts) return;
  const worlds::CrashStates states(disk);
  const FsMoment moment = history_.moment();
  for (unsigned i = 0; i < kAtOnce; ++i) {
    Medium medium = states.draw(run_.tape.world());
    const auto known = std::find_if(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
      return cut.medium.hash() == medium.hash() && cut.moment == moment;
    });
    if (known == cuts_.end()) cuts_.push_back({std::move(medium), moment});
  }
}

/// Before the history goes on without what has been lost.
void Ext2World::judge_gathered() {
  room_.disk.watch(nullptr, nullptr);
  for (judged_ = 0; judged_ < cuts_.size(); ++judged_) {
    sim::machine().got_further();
    probes.judged_cut.hit();
    Ext2Disk room(room_.disk.shape(), cuts_[judged_].medium);
    room.disk.log().keep(false);
    bool sound = false;
    judge_cut(room, history_, cuts_[judged_].moment, checker_, sound);
  }
  cuts_.clear();
  judged_ = SIZE_MAX;
}

} // namespace kiln::fs
