#include "worlds/disk/shapes.h"

namespace kiln::worlds {
namespace {

uint64_t draw_capacity(sim::Tape::View tape, const ShapeMenu& menu) {
  static constexpr uint64_t kOdd[] = {
      1, 0, (uint64_t{1} << 32) - 1, uint64_t{1} << 32, (uint64_t{1} << 32) + 1, UINT64_MAX};
  const size_t kind = tape.weighted({12, 6, static_cast<uint16_t>(menu.odd_capacity ? 4 : 0)});
  if (kind == 2) return tape.pick(kOdd);
  return kind == 0 ? menu.sectors
                   : menu.sectors + tape.below(9) - tape.below(menu.sectors < 9 ? 1 : 9);
}

} // namespace

DiskShape draw_shape(sim::Tape::View tape, const ShapeMenu& menu) {
  static constexpr uint32_t kBytes[] = {512, 4096, 520, 528, 65536, 1024};
  static constexpr uint32_t kTogether[] = {1, 8, 2};
  static constexpr uint32_t kMost[] = {256, 1, 2, 3, 8, 128};
  static constexpr uint32_t kSegments[] = {16, 1, 2, 3, 128};
  DiskShape shape;
  shape.sectors = draw_capacity(tape, menu);
  if (menu.odd_sectors && tape.below(3) == 1) {
    shape.sector_bytes = tape.pick(kBytes);
  }
  shape.physical_bytes = shape.sector_bytes;
  if (menu.odd_sectors) shape.physical_bytes *= tape.pick(kTogether);
  shape.most_sectors = tape.pick(kMost);
  shape.most_segments = tape.pick(kSegments);
  shape.volatile_cache = !(tape.below(4) == 1 && menu.no_cache);
  shape.has_durable_write = !(tape.below(3) == 1 && menu.no_fua);
  shape.has_discard = tape.boolean() && menu.discard;
  shape.read_only = tape.below(16) == 1 && menu.read_only;
  return shape;
}

} // namespace kiln::worlds
