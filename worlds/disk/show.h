#pragma once
// What a target shows of its disk at a finding (sim/exhibit.h): the log of commands, what is
// pending, the promises that it has broken, and its image.
//
//   static void show(sim::Exhibitor& to, void* arg) {
//     worlds::show_disk(static_cast<World*>(arg)->disk, to);
//   }

#include "sim/exhibit.h"
#include "worlds/disk/disk.h"

namespace kiln::worlds {

/// For one of several disks: its name goes into titles, `ending` is its file's.
void show_disk(const Disk& disk, sim::Exhibitor& to, const char* name = "Disk",
               const char* ending = sim::kDiskImage);

} // namespace kiln::worlds
