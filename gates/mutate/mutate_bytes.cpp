// Mutations of numbers and bytes within one lane.

#include <algorithm>

#include "gates/mutate/mutations.h"

namespace kiln::gates {
namespace {

using sim::Lane;

constexpr Lane kByteLanes[] = {Lane::kData,  Lane::kData,  Lane::kData,  Lane::kData, Lane::kWorld,
                               Lane::kWorld, Lane::kFault, Lane::kSwarm, Lane::kRace};

Lane pick_lane(MutationContext& context) {
  return kByteLanes[context.prng.below(std::size(kByteLanes))];
}

size_t below(MutationContext& context, size_t n) {
  return static_cast<size_t>(context.prng.below(n));
}

/// Mostly short: 1..most, each length half as likely as half of it.
size_t short_length(MutationContext& context, size_t most) {
  const size_t bound = size_t{1} << below(context, 8);
  return 1 + below(context, std::max<size_t>(1, std::min(bound, most)));
}

uint64_t edge_value(MutationContext& context) {
  const uint64_t power = uint64_t{1} << below(context, 64);
  switch (below(context, 6)) {
  case 0:
    return below(context, 16);
  case 1:
    return power;
  case 2:
    return power - 1;
  case 3:
    return power + 1;
  case 4:
    return uint64_t{0} - 1 - below(context, 16);
  default:
    return context.prng.next();
  }
}

std::vector<uint8_t> random_bytes(MutationContext& context, size_t size) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(context.prng.next());
  }
  return bytes;
}

} // namespace

bool change_number(MutationContext& context, Candidate& candidate) {
  if (context.numbers.empty()) return false;
  const Number& number = context.numbers[below(context, context.numbers.size())];
  const uint64_t value = get_number(candidate, number);
  uint64_t changed = 0;
  switch (below(context, 6)) {
  case 0:
    changed = value ^ uint64_t { 1 } << below(context, size_t{8} * number.width);
    break;
  case 1:
    changed = value + 1 + below(context, 8);
    break;
  case 2:
    changed = value - 1 - below(context, 8);
    break;
  case 3:
    changed = 0;
    break;
  case 4:
    changed = context.prng.next();
    break;
  default:
    changed = edge_value(context);
    break;
  }
  set_number(candidate, number, changed);
  return true;
}

bool copy_number(MutationContext& context, Candidate& candidate) {
  if (context.numbers.size() < 2) return false;
  const Number& from = context.numbers[below(context, context.numbers.size())];
  const Number& to = context.numbers[below(context, context.numbers.size())];
  set_number(candidate, to, get_number(candidate, from));
  return from.width == to.width;
}

bool insert_bytes(MutationContext& context, Candidate& candidate) {
  std::vector<uint8_t>& bytes = candidate.lanes[pick_lane(context)];
  const size_t at = below(context, bytes.size() + 1);
  const std::vector<uint8_t> more = random_bytes(context, short_length(context, 16));
  bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), more.begin(), more.end());
  return true;
}

bool erase_bytes(MutationContext& context, Candidate& candidate) {
  std::vector<uint8_t>& bytes = candidate.lanes[pick_lane(context)];
  if (bytes.empty()) return false;
  const size_t at = below(context, bytes.size());
  const size_t size = std::min(short_length(context, 64), bytes.size() - at);
  bytes.erase(bytes.begin() + static_cast<ptrdiff_t>(at),
              bytes.begin() + static_cast<ptrdiff_t>(at + size));
  return true;
}

bool extend_lane(MutationContext& context, Candidate& candidate) {
  std::vector<uint8_t>& bytes = candidate.lanes[pick_lane(context)];
  const std::vector<uint8_t> more = random_bytes(context, short_length(context, 128));
  bytes.insert(bytes.end(), more.begin(), more.end());
  return true;
}

bool cut_lane(MutationContext& context, Candidate& candidate) {
  std::vector<uint8_t>& bytes = candidate.lanes[pick_lane(context)];
  if (bytes.empty()) return false;
  bytes.resize(below(context, bytes.size()));
  return true;
}

bool renew_lane(MutationContext& context, Candidate& candidate) {
  const Lane lane = pick_lane(context);
  const size_t most = sim::lane_size(lane, context.most);
  if (most == 0) return false;
  candidate.lanes[lane] = random_bytes(context, below(context, (most >> below(context, 8)) + 1));
  return true;
}

bool change_lane_by_bytes(MutationContext& context, Candidate& candidate) {
  const Lane lane = pick_lane(context);
  const size_t most = sim::lane_size(lane, context.most);
  std::vector<uint8_t>& bytes = candidate.lanes[lane];
  if (!context.bytes || most == 0 || bytes.size() > most) return false;
  const size_t size = bytes.size();
  bytes.resize(most);
  bytes.resize(context.bytes(bytes.data(), size, most));
  return true;
}

} // namespace kiln::gates
