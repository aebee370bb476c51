// Taking tapes apart, numbers in them, and their order.

#include "gates/tape/candidate.h"

#include <algorithm>

namespace kiln::gates {
namespace {

using sim::Lane;

size_t trimmed_size(const std::vector<uint8_t>& bytes) {
  size_t size = bytes.size();
  while (size > 0 && bytes[size - 1] == 0) {
    --size;
  }
  return size;
}

void add_bytewise(const Candidate& candidate, std::vector<Number>& numbers) {
  uint32_t draw = 0;
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    for (size_t k = 0; k < candidate.lanes.bytes[i].size(); ++k) {
      numbers.push_back({static_cast<Lane>(i), 1, draw++, k});
    }
  }
}

} // namespace

Candidate take_apart(std::span<const uint8_t> tape) {
  Candidate candidate{sim::split_lanes(tape), {}};
  candidate.decisions = sim::decode_sched(candidate.lanes[Lane::kSched]);
  candidate.lanes[Lane::kSched].clear();
  return candidate;
}

std::vector<uint8_t> put_together(const Candidate& candidate) {
  sim::Lanes lanes = candidate.lanes;
  lanes[Lane::kSched] = sim::encode_sched(candidate.decisions);
  return sim::join_lanes(lanes);
}

std::vector<Number> numbers_of(const Candidate& candidate, const sim::TapeRecord& record) {
  std::vector<Number> numbers;
  if (record.draws.empty()) add_bytewise(candidate, numbers);
  for (uint32_t i = 0; i < record.draws.size(); ++i) {
    const sim::DrawRecord& draw = record.draws[i];
    const size_t size = candidate.lanes[draw.lane].size();
    const bool edge = draw.width == 5 || draw.width == 9;
    if (draw.position >= size) continue;
    numbers.push_back({draw.lane, edge ? uint8_t{1} : draw.width, i, draw.position});
    if (edge && draw.position + 1 < size) {
      numbers.push_back({draw.lane, static_cast<uint8_t>(draw.width - 1), i, draw.position + 1});
    }
  }
  return numbers;
}

uint64_t get_number(const Candidate& candidate, const Number& number) {
  const std::vector<uint8_t>& bytes = candidate.lanes[number.lane];
  uint64_t value = 0;
  for (size_t k = 0; k < number.width && number.position + k < bytes.size(); ++k) {
    value |= uint64_t{bytes[number.position + k]} << (8 * k);
  }
  return value;
}

void set_number(Candidate& candidate, const Number& number, uint64_t value) {
  std::vector<uint8_t>& bytes = candidate.lanes[number.lane];
  if (bytes.size() < number.position + number.width) bytes.resize(number.position + number.width);
  for (size_t k = 0; k < number.width; ++k) {
    bytes[number.position + k] = static_cast<uint8_t>(value >> (8 * k));
  }
}

Weight weigh(const Candidate& candidate, const std::vector<Number>& numbers) {
  Weight weight;
  constexpr uint32_t kNone = UINT32_MAX;
  uint32_t counted = kNone;
  for (const Number& number : numbers) {
    const uint64_t value = get_number(candidate, number);
    weight.values.push_back(value);
    if (value != 0 && number.draw != counted) {
      ++weight.choices;
      counted = number.draw;
    }
  }
  for (const sim::Decision& decision : candidate.decisions) {
    weight.values.push_back(decision.point);
    weight.values.push_back(decision.alternative);
  }
  weight.choices += candidate.decisions.size();
  weight.length = sim::encode_sched(candidate.decisions).size();
  for (const std::vector<uint8_t>& bytes : candidate.lanes.bytes) {
    weight.length += trimmed_size(bytes);
  }
  return weight;
}

Candidate without_ranges(const Candidate& candidate, std::span<const LaneRanges> ranges) {
  Candidate result{{}, candidate.decisions};
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    const std::vector<uint8_t>& bytes = candidate.lanes.bytes[i];
    std::vector<uint8_t>& kept = result.lanes.bytes[i];
    size_t at = 0;
    for (const LaneRanges& range : ranges) {
      const size_t begin = std::clamp(range.begin[i], at, std::max(at, bytes.size()));
      kept.insert(kept.end(), bytes.begin() + static_cast<ptrdiff_t>(at),
                  bytes.begin() + static_cast<ptrdiff_t>(begin));
      at = std::clamp(range.end[i], begin, std::max(begin, bytes.size()));
    }
    kept.insert(kept.end(), bytes.begin() + static_cast<ptrdiff_t>(at), bytes.end());
  }
  return result;
}

} // namespace kiln::gates
