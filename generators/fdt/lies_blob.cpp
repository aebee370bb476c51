// Lies in the header and in the length of what is handed over.

#include <algorithm>

#include "generators/fdt/lies.h"

namespace kiln::gen::fdt {
namespace {

using View = sim::Tape::View;

uint32_t field(const std::vector<uint8_t>& blob, Field which) {
  return read32(blob, place_of(which));
}

/// The size that belongs to an offset, and the offset that belongs to a size.
uint32_t partner(const std::vector<uint8_t>& blob, Field which) {
  switch (which) {
  case Field::kStructOffset:
    return field(blob, Field::kStructSize);
  case Field::kStringsOffset:
    return field(blob, Field::kStringsSize);
  case Field::kStructSize:
    return field(blob, Field::kStructOffset);
  case Field::kStringsSize:
    return field(blob, Field::kStringsOffset);
  case Field::kReservationOffset:
    return 16;
  default:
    return 0;
  }
}

void lie_field(std::vector<uint8_t>& blob, View fault) {
  // Sizes and offsets more often than what is never read.
  constexpr Field kWhich[] = {
      Field::kTotalSize,   Field::kStructOffset,      Field::kStringsOffset,  Field::kStructSize,
      Field::kStringsSize, Field::kReservationOffset, Field::kStructOffset,   Field::kStructSize,
      Field::kMagic,       Field::kVersion,           Field::kLastCompatible, Field::kBootCpu};
  const Field which = fault.pick(kWhich);
  const uint32_t own = field(blob, which);
  const uint32_t size = static_cast<uint32_t>(blob.size());
  const uint32_t other = partner(blob, which);
  const uint32_t bases[] = {own,        size - other, size,       0 - other, kHeaderBytes,
                            UINT32_MAX, 0x80000000,   0x7FFFFFFF, 0,         own + 16};
  constexpr uint32_t kDeltas[] = {1, 0 - 1u, 4, 0 - 4u, 0, 8, 0 - 8u, 2};
  const uint32_t base = fault.pick(bases);
  write32(blob, place_of(which), base + fault.pick(kDeltas));
  if (fault.chance(1, 16)) { // room for a header and nothing else, or not even that
    write32(blob, place_of(Field::kTotalSize),
            kHeaderBytes - static_cast<uint32_t>(fault.below(2)));
  }
}

/// The blob stays readable as often as it can: mostly only the rule is broken.
void lie_place(std::vector<uint8_t>& blob, View fault) {
  constexpr Field kWhich[] = {Field::kStringsOffset, Field::kReservationOffset,
                              Field::kStructOffset};
  const Field which = fault.pick(kWhich);
  const uint32_t own = field(blob, which);
  const uint32_t size = static_cast<uint32_t>(blob.size());
  const uint32_t places[] = {
      kHeaderBytes - 1, kHeaderBytes - 8, kHeaderBytes - 4, own + 4, own - 4, size,
      size / 8 * 8,     own + 1,          size + 8,         0};
  write32(blob, place_of(which), fault.pick(places));
}

/// Ends of fields and blocks, and what lies beside them.
size_t draw_length(const std::vector<uint8_t>& blob, View fault) {
  const uint32_t structure = field(blob, Field::kStructOffset);
  const uint32_t strings = field(blob, Field::kStringsOffset);
  const uint32_t size = static_cast<uint32_t>(blob.size());
  const uint32_t bases[] = {size,
                            kHeaderBytes,
                            structure,
                            strings,
                            field(blob, Field::kReservationOffset) + 16,
                            structure + field(blob, Field::kStructSize),
                            strings + field(blob, Field::kStringsSize),
                            0,
                            static_cast<uint32_t>(fault.below(10)) * 4,
                            static_cast<uint32_t>(fault.below(blob.size()))};
  constexpr uint32_t kDeltas[] = {0 - 1u, 0, 1, 0 - 4u, 4, 0 - 8u, 0 - 3u};
  const uint32_t base = fault.pick(bases);
  const uint32_t length = base + fault.pick(kDeltas);
  return std::min<size_t>(length, blob.size());
}

void lie_cut(std::vector<uint8_t>& blob, View fault, bool repaired) {
  blob.resize(draw_length(blob, fault));
  if (repaired && blob.size() >= place_of(Field::kTotalSize) + 4) {
    write32(blob, place_of(Field::kTotalSize), static_cast<uint32_t>(blob.size()));
  }
}

/// A structure block that ends before its FDT_END, as some firmware makes it.
void lie_struct_short(std::vector<uint8_t>& blob, View fault) {
  const uint32_t own = field(blob, Field::kStructSize);
  const uint32_t bytes = fault.chance(1, 3) ? 1 : 4; // sizes that are no whole words, too
  const uint32_t less =
      fault.boolean() ? bytes * static_cast<uint32_t>(1 + fault.below(8) * (4 / bytes)) : 4;
  write32(blob, place_of(Field::kStructSize), own > less ? own - less : 0);
}

void lie_bytes(std::vector<uint8_t>& blob, View fault) {
  for (uint64_t i = fault.between(1, 4); i > 0; --i) {
    const uint64_t at = fault.below(blob.size());
    blob[at] = static_cast<uint8_t>(blob[at] ^ (1 + fault.below(255)));
  }
}

} // namespace

void lie_in_blob(std::vector<uint8_t>& blob, Lie lie, View fault) {
  if (blob.size() < kHeaderBytes) {
    return; // an earlier lie has cut it
  }
  switch (lie) {
  case Lie::kField:
    return lie_field(blob, fault);
  case Lie::kPlace:
    return lie_place(blob, fault);
  case Lie::kStructShort:
    return lie_struct_short(blob, fault);
  case Lie::kCut:
    return lie_cut(blob, fault, false);
  case Lie::kCutRepaired:
    return lie_cut(blob, fault, true);
  default:
    return lie_bytes(blob, fault);
  }
}

} // namespace kiln::gen::fdt
