#include "targets/mm/address_steps.h"

#include "kernel-src/lib/checked.h"

namespace kiln::mm {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLarge = uint64_t{2} << 20;
constexpr uint64_t kHuge = uint64_t{1} << 30;

uint64_t draw_window_bytes(sim::Tape::View& data) {
  switch (data.weighted({10, 4, 2, 1})) {
  case 0:
    return data.between(12, 60) * kPage;
  case 1:
    return data.between(1, 4) * kLarge + data.below(8) * kPage;
  case 2:
    return data.between(3, 12) * kPage;
  default:
    return data.between(2, 5) * kHuge;
  }
}

/// Around the borders of large pages, so that these can be.
uint64_t draw_range_bytes(sim::Tape::View& data) {
  switch (data.weighted({28, 8, 4, 4, 2, 2, 2, 1, 1})) {
  case 0:
    return data.between(1, 6) * kPage;
  case 1:
    return data.between(6, 40) * kPage;
  case 2:
    return data.between(1, 2) * kLarge;
  case 3:
    return data.below(20'000);
  case 4:
    return kHuge;
  case 5:
    return data.edge64();
  case 6:
    return UINT64_MAX - data.below(2 * kPage); // with an offset in a page: beyond 2^64
  case 7:
    return 0;
  default:
    return UINT64_MAX - (data.between(1, 3) * kPage - 1); // with guard pages: 2^64 and around
  }
}

uint64_t draw_align(sim::Tape::View& data) {
  static constexpr uint64_t kAligns[] = {
      kPage, 2 * kPage, 4 * kPage, 16 * kPage,        kLarge,           kHuge,
      0,     2048,      3 * kPage, uint64_t{1} << 47, uint64_t{1} << 63};
  return kAligns[data.weighted({24, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1})];
}

uint64_t draw_physical(sim::Tape::View& data, unsigned bits) {
  switch (data.weighted({8, 4, 3, 1, 1})) {
  case 0:
    return data.between(1, 4) * kHuge;
  case 1:
    return kHuge + data.below(16) * kLarge;
  case 2:
    return kHuge + data.below(100'000);
  case 3:
    return (uint64_t{1} << bits) - data.below(6) * kPage - data.below(3);
  default:
    return data.edge64();
  }
}

} // namespace

AddressWindow draw_window(sim::Tape& tape) {
  auto data = tape.data();
  const uint64_t bytes = draw_window_bytes(data);
  static constexpr uint64_t kFirst[] = {0xFFFF'C900'0000'0000, 0xFFFF'8000'0000'0000, 0,
                                        uint64_t{512} << 30};
  static constexpr uint64_t kEnd[] = {0, uint64_t{1} << 47, 0xFFFF'C900'4000'0000};
  if (data.weighted({3, 2}) == 0) {
    const uint64_t first = data.pick(kFirst) + data.below(3) * kPage;
    return {first, first + (bytes - 1)};
  }
  const uint64_t last = clay::wrapping_sub<uint64_t>(data.pick(kEnd), 1);
  return {last - (bytes - 1), last};
}

AddressWindow draw_odd_window(sim::Tape& tape) {
  AddressWindow window = draw_window(tape);
  uint64_t odd = 0;
  auto data = tape.data();
  switch (data.below(6)) {
  case 0:
    window.last = clay::wrapping_add(window.first, data.below(4) * kPage + (kPage - data.below(2)));
    break;
  case 1:
    odd = data.below(kPage);
    window.first = clay::wrapping_add(window.first, odd);
    window.last = clay::wrapping_add(window.last, data.boolean() ? odd : 0);
    break;
  case 2:
    window = {(uint64_t{1} << 47) - 2 * kPage, (uint64_t{1} << 47) + 4 * kPage - 1};
    break;
  case 3:
    window = {0xFFFF'8000'0000'0000 - 4 * kPage, 0xFFFF'8000'0000'0000 + 2 * kPage - 1};
    break;
  case 4:
    window = {window.last, window.first};
    break;
  default:
    window = {data.edge64(), data.edge64()};
    break;
  }
  return window;
}

AddressStep draw_address_step(sim::Tape& tape, unsigned physical_bits) {
  sim::Span span(tape, "step");
  auto data = tape.data();
  static constexpr uint16_t kActs[] = {8, 8, 2, 5, 5, 8, 8, 3, 1, 2, 2};
  AddressStep step{};
  step.act = static_cast<AddressAct>(data.weighted(kActs));
  step.which = data.u8();
  step.count = data.u8();
  step.bytes = draw_range_bytes(data);
  step.align = draw_align(data);
  step.physical = draw_physical(data, physical_bits);
  step.offset = data.below(12) * kPage + data.below(kPage);
  static constexpr Rights kRights[] = {
      {true, false, false}, {false, false, false}, {false, true, false}, {true, true, false}};
  step.rights = kRights[data.weighted({8, 3, 2, 1})];
  const uint8_t access = data.u8();
  step.access = {(access & 1) != 0, (access & 3) == 2, (access & 12) == 12};
  if (step.act == AddressAct::kOddWindow) {
    step.window = draw_odd_window(tape);
  }
  return step;
}

std::vector<AddressStep> draw_address_steps(sim::Tape& tape, uint64_t count,
                                            unsigned physical_bits) {
  std::vector<AddressStep> steps;
  steps.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    steps.push_back(draw_address_step(tape, physical_bits));
  }
  return steps;
}

} // namespace kiln::mm
