// Blocks and a header to a blob.

#include <algorithm>

#include "generators/fdt/draft.h"

namespace kiln::gen::fdt {
namespace {

struct Block {
  const std::vector<uint8_t>* bytes;
  uint32_t align; ///< 5.6
  Field offset;
};

constexpr uint32_t kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

uint32_t align_up(uint32_t n, uint32_t align) { return (n + align - 1) / align * align; }

} // namespace

Layout Layout::draw(sim::Tape::View data) {
  constexpr uint32_t kGaps[] = {0, 8, 4, 1, 16, 40, 256};
  constexpr uint8_t kFillers[] = {0, 0xFF, 9, 'x'};
  constexpr uint32_t kVersions[][2] = {{17, 16}, {17, 17}, {17, 2}, {18, 17}, {UINT32_MAX, 16}};
  Layout layout;
  layout.order = static_cast<uint32_t>(data.below(6));
  for (uint32_t& gap : layout.gaps) {
    gap = data.pick(kGaps);
  }
  layout.filler = data.pick(kFillers);
  const uint32_t(&version)[2] = data.pick(kVersions);
  layout.version = version[0];
  layout.last_compatible = version[1];
  layout.boot_cpu = data.u8();
  return layout;
}

std::vector<uint8_t> blob_of(const Draft& draft, const Layout& layout) {
  const Block blocks[3] = {{&draft.reservations, 8, Field::kReservationOffset},
                           {&draft.structure, 4, Field::kStructOffset},
                           {&draft.strings, 1, Field::kStringsOffset}};
  std::vector<uint8_t> blob(kHeaderBytes);
  blob.reserve(draft.structure.size() + draft.strings.size() + draft.reservations.size() + 1200);
  for (uint32_t i = 0; i < 3; ++i) {
    const Block& block = blocks[kOrders[layout.order][i]];
    const uint32_t size = static_cast<uint32_t>(blob.size());
    const uint32_t at = align_up(size + layout.gaps[i], block.align);
    blob.resize(at, layout.filler);
    blob.insert(blob.end(), block.bytes->begin(), block.bytes->end());
    write32(blob, place_of(block.offset), at);
  }
  blob.resize(blob.size() + layout.gaps[3], layout.filler);
  write32(blob, place_of(Field::kMagic), 0xD00DFEED);
  write32(blob, place_of(Field::kTotalSize), static_cast<uint32_t>(blob.size()));
  write32(blob, place_of(Field::kVersion), layout.version);
  write32(blob, place_of(Field::kLastCompatible), layout.last_compatible);
  write32(blob, place_of(Field::kBootCpu), layout.boot_cpu);
  write32(blob, place_of(Field::kStringsSize), static_cast<uint32_t>(draft.strings.size()));
  write32(blob, place_of(Field::kStructSize), static_cast<uint32_t>(draft.structure.size()));
  return blob;
}

} // namespace kiln::gen::fdt
