// Addresses lie around the borders of pages, tables and of what is canonical, so near to each other
// that operations meet; sizes at, below and above those of pages of each kind.

#include "targets/mm/table_steps.h"

#include "kernel-src/lib/checked.h"

namespace kiln::mm {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLarge = uint64_t{2} << 20;
constexpr uint64_t kHuge = uint64_t{1} << 30;

uint64_t draw_address(sim::Tape::View& data) {
  static constexpr uint64_t kAround[] = {kLarge,
                                         kHuge,
                                         0,
                                         uint64_t{512} << 30,
                                         (uint64_t{1} << 47) - kLarge,
                                         (uint64_t{1} << 47) - kHuge,
                                         0xFFFF'8000'0000'0000,
                                         0xFFFF'FFFF'FFE0'0000,
                                         0xFFFF'FFFF'C000'0000,
                                         uint64_t{1} << 47};
  const uint64_t around = kAround[data.weighted({12, 8, 3, 3, 2, 1, 3, 2, 1, 1})];
  switch (data.weighted({6, 4, 4, 3, 1})) {
  case 0:
    return around;
  case 1:
    return clay::wrapping_add(around, data.below(10) * kPage);
  case 2:
    return clay::wrapping_sub(around, data.below(6) * kPage);
  case 3:
    return clay::wrapping_add(around, data.below(4) * kLarge);
  default:
    return clay::wrapping_add(around, data.below(5000));
  }
}

uint64_t draw_bytes(sim::Tape::View& data) {
  switch (data.weighted({10, 6, 4, 3, 1, 1, 1})) {
  case 0:
    return data.between(1, 6) * kPage;
  case 1:
    return data.between(1, 3) * kLarge;
  case 2:
    return data.between(1, 2) * kLarge + data.below(6) * kPage;
  case 3:
    return kHuge;
  case 4:
    return data.between(1, 2) * kHuge + kLarge - data.below(4) * kPage;
  case 5:
    return data.below(9000);
  default:
    return data.edge64();
  }
}

/// Mostly as aligned as the address, so that large pages can be.
uint64_t draw_physical(sim::Tape::View& data, unsigned bits, uint64_t address, uint64_t size) {
  const uint64_t end = uint64_t{1} << bits;
  switch (data.weighted({10, 3, 2, 1, 1, 1})) {
  case 0:
    return data.below(3) * kHuge + address % kHuge;
  case 1:
    return data.below(3) * kHuge + address % kLarge + data.below(4) * kLarge;
  case 2:
    return data.below(2000) * kPage;
  case 3:
    return clay::wrapping_sub(end, size); // to the very end
  case 4:
    return data.below(5000); // hardly ever a page
  default:
    return clay::wrapping_add(clay::wrapping_sub(end, size), data.below(3) * kPage);
  }
}

} // namespace

TableStep draw_table_step(sim::Tape& tape, unsigned physical_bits) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kActs[] = {10, 6, 7, 6, 4, 2, 2, 5};
  TableStep step{};
  step.act = static_cast<TableAct>(data.weighted(kActs));
  step.which = data.u8();
  step.address = draw_address(data);
  step.bytes = draw_bytes(data);
  step.physical = draw_physical(data, physical_bits, step.address, step.bytes);
  static constexpr Rights kRights[] = {
      {true, false, false}, {false, false, false}, {false, true, false}, {true, false, true},
      {false, true, true},  {false, false, true},  {true, true, false},  {true, true, true}};
  step.rights = kRights[data.weighted({6, 4, 4, 3, 2, 2, 1, 1})];
  const uint8_t access = data.u8();
  step.access = {(access & 1) != 0, (access & 3) == 2, (access & 4) != 0};
  return step;
}

std::vector<TableStep> draw_table_steps(sim::Tape& tape, uint64_t count, unsigned physical_bits) {
  std::vector<TableStep> steps;
  steps.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    steps.push_back(draw_table_step(tape, physical_bits));
  }
  return steps;
}

} // namespace kiln::mm
