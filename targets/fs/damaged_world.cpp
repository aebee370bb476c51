#include "targets/fs/damaged_world.h"

#include <algorithm>

#include "sim/machine.h"
#include "targets/fs/damaged_probes.h"
#include "targets/fs/damaged_work.h"
#include "worlds/disk/show.h"
#include "worlds/ext2/reader.h"
#include "worlds/ext2/views.h"

namespace kiln::fs {

using clay::Error;
using clay::Result;
using worlds::ext2::Found;
using worlds::ext2::Gravity;
using worlds::ext2::Problem;
using worlds::ext2::ProblemSet;
using worlds::ext2::Verdict;

namespace {

ProblemSet set_of(std::initializer_list<Problem> problems) {
  ProblemSet set;
  for (const Problem problem : problems)
    set.add(problem);
  return set;
}

constexpr uint32_t kMostBlockBytes = 4096; ///< that the kernel knows: a real image may have more

bool is_unclean(const Verdict& verdict) {
  return verdict.has(Problem::kState) || verdict.has(Problem::kErrorState);
}

/// " sound", or a line for each problem.
std::string as_block(const Verdict& verdict) {
  if (verdict.sound()) return " sound";
  std::string out = "\n  ";
  for (const char c : verdict.words()) {
    out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  }
  return out;
}

/// Why a mount was refused.
const char* text_of_refusal(Error error) {
  switch (error) {
  case Error::kInvalid:
    return "there is no ext2 on it";
  case Error::kUnsupported:
    return "it has something that the kernel does not know";
  case Error::kCorrupt:
    return "it is corrupt";
  case Error::kTruncated:
    return "the disk ends before it does";
  default:
    return clay::error_text(error);
  }
}

} // namespace

const ProblemSet& unminded() {
  static const ProblemSet set =
      set_of({Problem::kBackup, Problem::kUnusedNotDeleted, Problem::kStrayOrphan});
  return set;
}

Standing standing_of(const Verdict& verdict) {
  if (verdict.kinds().within(unminded())) return Standing::kSound;
  const ProblemSet recoverable = worlds::ext2::problems_of(Gravity::kCount) |
                                 worlds::ext2::problems_of(Gravity::kLeak) | unminded();
  const bool orphans = verdict.has(Problem::kOrphans);
  if (is_unclean(verdict) && !orphans && verdict.kinds().within(recoverable)) {
    return Standing::kRecoverable;
  }
  return Standing::kDamaged;
}

DamagedWorld::DamagedWorld(const gen::ext2::Image& image, const worlds::DiskShape& shape)
    : disk(shape), device_(disk) {
  const uint32_t per_block = image.block_bytes() / shape.sector_bytes;
  image.each([&](uint32_t block, std::span<const uint8_t> bytes) {
    const uint64_t first = uint64_t{block} * per_block;
    if (first >= shape.sectors) return;
    const uint64_t sectors = std::min<uint64_t>(per_block, shape.sectors - first);
    disk.preload(first, bytes.first(static_cast<size_t>(sectors * shape.sector_bytes)));
  });
}

size_t DamagedWorld::writes() const {
  const auto& entries = disk.log().entries();
  return static_cast<size_t>(
      std::count_if(entries.begin(), entries.end(), [](const worlds::DiskLog::Entry& entry) {
        return entry.kind == worlds::DiskLog::Kind::kCommand &&
               (entry.command.op == worlds::DiskOp::kWrite ||
                entry.command.op == worlds::DiskOp::kDiscard);
      }));
}

void DamagedWorld::judge_before() {
  before_ = checker_.check(worlds::ext2::view_of(disk.medium()));
  standing_ = standing_of(before_);
  damaged_probes().judged(before_, standing_);
}

bool DamagedWorld::mount(const Plan& plan) {
  if (plan.options.read_only || disk.shape().read_only) writes_allowed_ = 0;
  if (plan.fail_allocation != 0) sim::machine().fail_allocation(plan.fail_allocation);
  Result<clay::Box<clay::FileSystem>> mounted = clay::mount_ext2(device_, plan.options);
  if (!mounted.ok()) {
    words_ += std::string("mount: ") + clay::error_text(mounted.error()) + "\n";
    refusal_ = text_of_refusal(mounted.error());
    check_refusal(mounted.error(), plan);
    return false;
  }
  fs_ = mounted.take();
  words_ += fs_->read_only() ? "mounted read-only\n" : "mounted\n";
  damaged_probes().mounted(before_, standing_, fs_->read_only());
  const bool read_only_asked = plan.options.read_only || disk.shape().read_only;
  KILN_CHECK(read_only_asked || standing_ == Standing::kDamaged || !fs_->read_only(),
             "an image in order is mounted read-only");
  KILN_CHECK(!read_only_asked || fs_->read_only(), "a read-only mount can be written");
  if (fs_->read_only()) writes_allowed_ = writes();
  // What is known to belong to two is not touched: recovery looks at everything.
  KILN_CHECK(!fs_->read_only() || read_only_asked || !before_.double_use() || writes() == 0,
             "recovery has written to an image with a block that belongs to two");
  return true;
}

void DamagedWorld::check_refusal(Error error, const Plan& plan) const {
  damaged_probes().refused(error);
  if (error == Error::kNoMemory && plan.fail_allocation != 0) return;
  if (error == Error::kUnsupported && before_.counted().block_bytes > kMostBlockBytes) return;
  KILN_CHECK(standing_ == Standing::kDamaged, "an image in order is refused: %s",
             clay::error_text(error));
  constexpr Error kHonest[] = {Error::kInvalid, Error::kUnsupported, Error::kCorrupt,
                               Error::kTruncated};
  KILN_CHECK(std::find(std::begin(kHonest), std::end(kHonest), error) != std::end(kHonest),
             "a damaged image is refused: %s", clay::error_text(error));
}

void DamagedWorld::run(const Plan& plan, sim::Tape::View data) {
  judge_before();
  if (mount(plan)) look_and_work(plan, data);
  sim::machine().fail_allocation(UINT64_MAX);
  after_ = checker_.check(worlds::ext2::view_of(disk.medium()));
  check_untouched();
  check_spreading();
}

void DamagedWorld::look_and_work(const Plan& plan, sim::Tape::View data) {
  // What a read-only mount shows of an image that was not unmounted is that image; a mount that
  // writes has put it in order, and the disk's cache has not everything yet.
  const bool in_order =
      standing_ == Standing::kSound || (standing_ == Standing::kRecoverable && !fs_->read_only());
  Honesty honesty(*fs_, in_order, plan.fail_allocation != 0);
  {
    worlds::ext2::Reader reader(worlds::ext2::view_of(disk.medium()));
    DamagedTree tree(*fs_, honesty, in_order ? &reader : nullptr);
    tree.look();
    DamagedWork work(*fs_, honesty, tree);
    for (unsigned step = 0; step < plan.steps; ++step) {
      const bool known = honesty.corrupt();
      if (known && writes_allowed_ == SIZE_MAX) writes_allowed_ = writes();
      work.step(data);
      if (!known && honesty.corrupt()) damaged_probes().met_at_work.hit();
    }
    words_ += work.words();
    asked_ = work.asked();
    succeeded_ = work.succeeded();
    met_corrupt_ = honesty.corrupt();
    if (honesty.corrupt() && writes_allowed_ == SIZE_MAX) writes_allowed_ = writes();
  }
  if (in_order && plan.fail_allocation == 0) compare_once_more(honesty);
  const Result<> unmounted = fs_->unmount();
  fs_.reset();
  words_ += std::string("unmount: ") +
            (unmounted.ok() ? "done" : clay::error_text(unmounted.error())) + "\n";
  check_unmounted(unmounted, honesty);
}

/// What the kernel shows after the work is what is on the disk.
void DamagedWorld::compare_once_more(Honesty& honesty) {
  honesty.settles(fs_->sync());
  worlds::ext2::Reader reader(worlds::ext2::view_of(disk.medium()));
  DamagedTree tree(*fs_, honesty, &reader);
  tree.look();
}

void DamagedWorld::check_unmounted(const Result<>& unmounted, const Honesty& honesty) {
  const bool may_fail = honesty.corrupt() || !honesty.sound();
  if (!unmounted.ok()) {
    const Error error = unmounted.error();
    KILN_CHECK(may_fail || error == Error::kNoMemory, "an unmount fails: %s",
               clay::error_text(error));
    KILN_CHECK(error == Error::kCorrupt || error == Error::kReadOnly || error == Error::kNoMemory,
               "an unmount fails: %s", clay::error_text(error));
    return;
  }
  KILN_CHECK(disk.pending().empty(), "after an unmount there are writes that nobody flushed");
  if (!honesty.sound() || writes_allowed_ != SIZE_MAX) return;
  const Verdict& verdict = checker_.check(worlds::ext2::view_of(disk.medium()));
  const ProblemSet allowed = before_.kinds().without(
      standing_ == Standing::kSound ? ProblemSet{} : before_.kinds().without(unminded()));
  KILN_CHECK(verdict.kinds().within(allowed), "after an unmount the image is not in order: %s",
             verdict.words().c_str());
  damaged_probes().in_order_again(standing_);
}

void DamagedWorld::check_untouched() const {
  if (writes_allowed_ == SIZE_MAX) return;
  const size_t written = writes();
  KILN_CHECK(written <= writes_allowed_,
             "%zu writes after the filesystem was read-only or known to be corrupt",
             written - writes_allowed_);
}

/// No file has got hold of metadata that none had before: where that lies is known at the mount.
void DamagedWorld::check_spreading() const {
  if (after_.total() > Verdict::kMostFound || before_.total() > Verdict::kMostFound) return;
  for (const Found& found : after_.found()) {
    if (found.problem != Problem::kBlockInMetadata) continue;
    const auto before = before_.found();
    const bool known = std::any_of(before.begin(), before.end(), [&](const Found& old) {
      return old.problem == found.problem && old.block == found.block;
    });
    KILN_CHECK(known, "a file has got block %llu, which is metadata",
               static_cast<unsigned long long>(found.block));
  }
}

bool DamagedWorld::run_in_words(std::string& out) {
  judge_before();
  out += "The checker says:" + as_block(before_) + "\n";
  if (!mount({})) {
    out += "The kernel does not mount it: " + std::string(refusal_) + ".\n";
    return false;
  }
  out += "The kernel mounts it";
  if (fs_->read_only()) out += ", but only to be read";
  if (standing_ == Standing::kRecoverable) out += ", and puts it in order";
  out += ".\n";
  const bool in_order = standing_ != Standing::kDamaged;
  Honesty honesty(*fs_, in_order, false);
  {
    worlds::ext2::Reader reader(worlds::ext2::view_of(disk.medium()));
    DamagedTree tree(*fs_, honesty, in_order ? &reader : nullptr);
    tree.look();
    tree.describe_into(out);
  }
  for (const std::string& met : honesty.met()) {
    out += "Corrupt, says the kernel: " + met + ".\n";
  }
  const Result<> unmounted = fs_->unmount();
  fs_.reset();
  check_unmounted(unmounted, honesty);
  if (writes() != 0) {
    out += "The checker says after the unmount:" +
           as_block(checker_.check(worlds::ext2::view_of(disk.medium()))) + "\n";
  }
  return true;
}

void DamagedWorld::show(sim::Exhibitor& to, void* arg) {
  const auto& world = *static_cast<const DamagedWorld*>(arg);
  std::string lies;
  for (const gen::ext2::Lie lie : world.lies) {
    lies += std::string(gen::ext2::text_of(lie)) + "\n";
  }
  to.text("What the image lies about", lies);
  to.text("What the checker said of it", world.before_.words());
  to.text("What was done", world.words_);
  worlds::show_disk(world.disk, to);
}

} // namespace kiln::fs
