// A counter in two sectors of a disk, written one after the other without a flush between: after a
// cut of the power the new second one can stand beside the old first one. Shows what it has to
// show.

#include <string>

#include "sim/exhibit.h"
#include "targets/canary/canary.h"
#include "worlds/disk/show.h"

namespace kiln {
namespace {

using worlds::DiskOp;

constexpr uint32_t kSector = 512;

struct World {
  worlds::Disk disk{{.sectors = 16}};
  std::string operations;

  void write(uint64_t sector, uint8_t value) {
    uint8_t bytes[kSector] = {value};
    disk.perform({DiskOp::kWrite, sector, 1}, bytes);
  }
  uint8_t read(uint64_t sector) {
    uint8_t bytes[kSector];
    disk.perform({DiskOp::kRead, sector, 1}, bytes);
    return bytes[0];
  }
  void count(uint8_t value) {
    operations += "count to " + std::to_string(value) + "\n";
    disk.set_tag("count");
    write(0, value);
    write(1, value);
    disk.set_tag("sync");
    disk.perform({DiskOp::kFlush}, {});
    disk.log().mark("%lu is durable", value);
  }
};

void show(sim::Exhibitor& to, void* arg) {
  const World& world = *static_cast<World*>(arg);
  to.text("Operations", world.operations);
  worlds::show_disk(world.disk, to);
}

void run(sim::Run& run) {
  World world;
  const sim::Exhibit exhibit(show, &world);
  auto data = run.tape.data();
  uint8_t value = 0;
  for (uint64_t left = data.between(1, 8); left != 0; --left) {
    world.disk.cut_after(data.below(4), run.tape);
    world.count(++value);
    if (world.disk.powered()) continue;
    world.disk.power_on();
    KILN_CHECK(world.read(1) <= world.read(0), "the second sector is newer than the first");
  }
}

sim::Target target{{
    .name = "canary/disk",
    .purpose = "Two sectors that are written in order, with nothing that makes it so.",
    .run = run,
    .gate_inputs = 1'000,
    .longest_tape = 256,
    .tags = "canary",
    .must_fail = true,
    .must_break = sim::Rule::kOracle,
}};

} // namespace
} // namespace kiln
