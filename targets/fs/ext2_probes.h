#pragma once
// States of fs/ext2 that inputs must reach.

#include "sim/probe.h"
#include "targets/fs/fs_probes.h"

namespace kiln::fs {

struct Ext2Probes {
  sim::Probe refused;
  sim::Probe no_space;
  sim::Probe cut_in_operation;
  sim::Probe cut_in_sync;
  sim::Probe cut_in_recovery;
  sim::Probe cut_three_deep;
  sim::Probe cut_twice_in_recovery;
  sim::Probe judged_cut;
  sim::Probe cut_in_unmount;
  sim::Probe cut_loses_writes;
  sim::Probe found_unclean;
  sim::Probe found_leaks;
  sim::Probe found_move;
  sim::Probe found_mixture;
  sim::Probe lied;
  sim::Probe torn;
  sim::Probe mount_fails;
  sim::Probe sync_fails;
  sim::Probe no_memory;
  sim::Probe no_memory_in_recovery;
  sim::Probe turned_read_only;
  sim::Probe read_only_mount;
  sim::Probe mounted_read_only;
  sim::Probe untidy;
  sim::Probe emptied;
  sim::Probe idempotent;
  sim::Probe tasks_at_once;
};
extern const Ext2Probes probes;
extern const FsProbes operation_probes;

} // namespace kiln::fs
