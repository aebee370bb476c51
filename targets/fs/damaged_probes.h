#pragma once
// States that fs/ext2-damaged must reach.

#include "generators/ext2/lies.h"
#include "kernel-src/lib/result.h"
#include "sim/probe.h"
#include "targets/fs/damaged_world.h"

namespace kiln::fs {

struct DamagedProbes {
  explicit DamagedProbes(const char* target);

  void judged(const worlds::ext2::Verdict& verdict, Standing standing) const;
  void refused(clay::Error error) const;
  void mounted(const worlds::ext2::Verdict& verdict, Standing standing, bool read_only) const;
  void in_order_again(Standing standing) const;

  sim::Probe met_at_work;
  sim::Probe read_only_asked;
  sim::Probe truncated;
  sim::Probe starved;

 private:
  sim::Probe sound_;
  sim::Probe recoverable_;
  sim::Probe double_use_;
  sim::Probe refused_corrupt_;
  sim::Probe refused_unsupported_;
  sim::Probe refused_invalid_;
  sim::Probe refused_truncated_;
  sim::Probe mounted_sound_;
  sim::Probe recovered_;
  sim::Probe mounted_damaged_;
  sim::Probe recovery_gives_up_;
  sim::Probe double_use_found_;
  sim::Probe unmounted_sound_;
  sim::Probe unmounted_recovered_;
};
const DamagedProbes& damaged_probes();

} // namespace kiln::fs
