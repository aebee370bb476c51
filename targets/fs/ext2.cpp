// ext2 on a disk that loses power.
//
// A program of operations runs on a small image; the power goes at some command of the disk, or
// inside one, and what was not flushed is there or not, sector by sector. The image is then judged
// as it lies there (worlds/ext2), mounted, which recovers it, and the whole tree is held against
// the history of what was done (worlds/fs/history.h). Then it goes on: more work, another cut, also
// in recovery. In the end it is unmounted, and what is on the disk must be sound and exactly what
// the model says.
//
// Besides: errors of the disk, flushes that lie, allocations that fail, several tasks, other
// geometries, images that are nearly full.

#include "sim/target.h"
#include "targets/fs/ext2_feed.h"
#include "targets/fs/ext2_probes.h"
#include "targets/fs/ext2_world.h"

namespace kiln::fs {
namespace {

constexpr const char* kTarget = "fs/ext2";

} // namespace

const Ext2Probes probes{
    .refused = {kTarget, "an operation is refused for a reason that the model does not know"},
    .no_space = {kTarget, "there is no space left"},
    .cut_in_operation = {kTarget, "the power goes in an operation that is no sync"},
    .cut_in_sync = {kTarget, "the power goes in a sync"},
    .cut_in_recovery = {kTarget, "the power goes in recovery"},
    .cut_three_deep = {kTarget, "the power goes in three recoveries one after the other"},
    .cut_twice_in_recovery = {kTarget, "the power goes in recovery from a cut in recovery"},
    .judged_cut = {kTarget, "what a cut might have left is judged"},
    .cut_in_unmount = {kTarget, "the power goes in an unmount"},
    .cut_loses_writes = {kTarget, "a loss of power loses writes"},
    .found_unclean = {kTarget, "an image is found that was not unmounted"},
    .found_leaks = {kTarget, "an image is found with blocks or inodes that nobody has"},
    .found_move = {kTarget, "an image is found in the middle of a move"},
    .found_mixture = {kTarget, "a file is found that is partly old"},
    .lied = {kTarget, "a flush lied, and the power has gone"},
    .torn = {kTarget, "a sector is found that is neither old nor new"},
    .mount_fails = {kTarget, "a mount fails"},
    .sync_fails = {kTarget, "a sync fails"},
    .no_memory = {kTarget, "there is no memory for an operation"},
    .no_memory_in_recovery = {kTarget, "there is no memory for a recovery"},
    .turned_read_only = {kTarget, "it has become read-only"},
    .read_only_mount = {kTarget, "an image that was not unmounted is mounted read-only"},
    .mounted_read_only = {kTarget, "operations on a read-only mount"},
    .untidy = {kTarget, "it is unmounted, and the next mount is to look"},
    .emptied = {kTarget, "everything is removed in the end"},
    .idempotent = {kTarget, "a sound image is recovered"},
    .tasks_at_once = {kTarget, "two tasks are in it at once"},
};

const FsProbes operation_probes{kTarget, false};

namespace {

void run(sim::Run& run) {
  Ext2World world(run);
  world.run();
}

sim::Target target{{
    .name = kTarget,
    .purpose = "ext2 on a disk that fails and loses power, against its history.",
    .run = run,
    .feed = feed_ext2,
    .feed_takes = "an image of ext2",
    .feed_judge = "e2fsck -fn",
    .gate_inputs = 30'000,
    .longest_tape = 4096,
    .tags = "fs,ext2,crash",
}};

} // namespace
} // namespace kiln::fs
