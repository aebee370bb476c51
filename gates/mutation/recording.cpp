#include "gates/mutation/recording.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>
#include <utility>

#include "gates/support/atomic_file.h"
#include "gates/support/read_file.h"
#include "gates/support/sha256.h"
#include "gates/worker/packing.h"

namespace kiln::gates {

namespace {

constexpr size_t kLargestFile = size_t{1} << 30;
/// A file ends with the sum of all before it.
constexpr size_t kSumBytes = 64;

/// As many loop iterations as the hungriest input of the original takes, times this, and some more.
constexpr int64_t kFuelFactor = 20;
constexpr int64_t kFuelMore = 1'000'000;

void join_bits(InputSet& to, uint64_t begin, const std::vector<uint64_t>& bits) {
  for (size_t word = 0; word < bits.size(); ++word) {
    for (uint64_t left = bits[word]; left != 0; left &= left - 1) {
      uint64_t input = begin + word * 64 + static_cast<uint64_t>(std::countr_zero(left));
      if (to.size() <= input / 64) to.resize(input / 64 + 1);
      to[input / 64] |= uint64_t{1} << (input % 64);
    }
  }
}

std::tuple<std::string_view, std::string_view, sim::LockFact> order_of(const sim::LockEdge& edge) {
  return {edge.from, edge.to, edge.fact};
}

bool same_fact(const sim::LockEdge& a, const sim::LockEdge& b) {
  return order_of(a) == order_of(b);
}

void cut_bits(InputSet& inputs, uint64_t count) {
  if (inputs.size() > (count + 63) / 64) inputs.resize((count + 63) / 64);
  if (count % 64 != 0 && inputs.size() == count / 64 + 1) {
    inputs.back() &= (uint64_t{1} << (count % 64)) - 1;
  }
}

uint64_t first_of(const InputSet& inputs) {
  for (size_t word = 0; word < inputs.size(); ++word) {
    if (inputs[word] != 0) return word * 64 + static_cast<uint64_t>(std::countr_zero(inputs[word]));
  }
  return UINT64_MAX;
}

bool holds(const InputSet& inputs, uint64_t input) {
  return input / 64 < inputs.size() && (inputs[input / 64] >> (input % 64) & 1) != 0;
}

} // namespace

uint64_t count_of(const InputSet& inputs) {
  uint64_t count = 0;
  for (uint64_t word : inputs)
    count += static_cast<uint64_t>(std::popcount(word));
  return count;
}

const InputSet& Recording::reaching_inputs(uint32_t site) const {
  static const InputSet kNone;
  auto found = reaching.find(site);
  return found == reaching.end() ? kNone : found->second;
}

void Recording::add(uint64_t begin, const RecordDone& part) {
  for (const VisitedSite& visited : part.sites)
    join_bits(reaching[visited.site], begin, visited.inputs);
  boot_sites.insert(boot_sites.end(), part.boot_sites.begin(), part.boot_sites.end());
  std::sort(boot_sites.begin(), boot_sites.end());
  boot_sites.erase(std::unique(boot_sites.begin(), boot_sites.end()), boot_sites.end());
  boot_fuel = std::max(boot_fuel, part.boot_fuel);
  hungriest.insert(hungriest.end(), part.hungriest.begin(), part.hungriest.end());
  std::sort(hungriest.begin(), hungriest.end(),
            [](const HungryInput& a, const HungryInput& b) { return a.iteration < b.iteration; });
  int64_t most = 0;
  std::erase_if(hungriest, [&](const HungryInput& each) {
    return std::exchange(most, std::max(most, each.fuel)) >= each.fuel;
  });
  for (const RecordedFact& fact : part.facts) {
    auto same = std::find_if(facts.begin(), facts.end(), [&](const RecordedFact& each) {
      return same_fact(each.edge, fact.edge);
    });
    if (same == facts.end()) same = facts.insert(facts.end(), {fact.edge, {}});
    // The sites are those of its first input, whichever part came first.
    if (begin <= first_of(same->inputs)) same->edge = fact.edge;
    join_bits(same->inputs, begin, fact.inputs);
  }
  std::sort(facts.begin(), facts.end(), [](const RecordedFact& a, const RecordedFact& b) {
    return order_of(a.edge) < order_of(b.edge);
  });
  findings.insert(findings.end(), part.findings.begin(), part.findings.end());
  std::sort(findings.begin(), findings.end(),
            [](auto& a, auto& b) { return a.iteration < b.iteration; });
}

void Recording::cut(uint64_t count) {
  inputs = std::min(inputs, count);
  for (auto& [site, set] : reaching)
    cut_bits(set, count);
  std::erase_if(reaching, [](const auto& each) { return count_of(each.second) == 0; });
  std::erase_if(hungriest, [&](const HungryInput& each) { return each.iteration >= count; });
  std::erase_if(findings, [&](const OriginalFinding& each) { return each.iteration >= count; });
  for (RecordedFact& fact : facts)
    cut_bits(fact.inputs, count);
  std::erase_if(facts, [](const RecordedFact& fact) { return count_of(fact.inputs) == 0; });
}

int64_t Recording::loop_fuel() const {
  int64_t most = std::max(boot_fuel, hungriest.empty() ? 0 : hungriest.back().fuel);
  bool fits = most <= (INT64_MAX - kFuelMore) / kFuelFactor;
  return fits ? most * kFuelFactor + kFuelMore : INT64_MAX;
}

std::vector<uint64_t> Recording::known_keys() const {
  std::vector<uint64_t> keys;
  for (const OriginalFinding& finding : findings)
    keys.push_back(finding.key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::vector<uint32_t> sites_of(const sim::Mutant& mutant) {
  const uint8_t* first = sim::mutant_sites().data();
  std::vector<uint32_t> sites{static_cast<uint32_t>(mutant.at - first)};
  for (const uint8_t* at : mutant.also)
    sites.push_back(static_cast<uint32_t>(at - first));
  return sites;
}

std::vector<InputRange> ranges_of(const InputSet& inputs, uint64_t from, uint64_t to, uint64_t most,
                                  uint64_t* next) {
  std::vector<InputRange> ranges;
  uint64_t taken = 0;
  uint64_t i = from;
  for (; i < to && taken < most; ++i) {
    if (i % 64 == 0 && (i / 64 >= inputs.size() || inputs[i / 64] == 0)) {
      i += 63;
      continue;
    }
    if (!holds(inputs, i)) continue;
    ++taken;
    if (!ranges.empty() && ranges.back().end == i) {
      ++ranges.back().end;
    } else {
      ranges.push_back({i, i + 1});
    }
  }
  *next = std::min(i, to);
  return ranges;
}

bool read_recording(const std::string& path, const std::string& identity, Recording* recording) {
  std::string ignored;
  std::optional<std::string> text = read_file(path, kLargestFile, "a recording", &ignored);
  if (!text.has_value()) return false;
  if (text->size() < kSumBytes) return false;
  std::vector<uint8_t> bytes(text->begin(), text->end() - kSumBytes);
  if (!text->ends_with(sha256_hex(bytes))) return false;
  Unpacker from(bytes);
  std::string of;
  from.get(&of);
  if (from.failed() || !of.starts_with(identity)) return false;
  Recording read;
  from.get(&read.inputs);
  auto sites = from.get<std::vector<uint32_t>>();
  for (uint32_t site : sites)
    from.get(&read.reaching[site]);
  from.get(&read.boot_sites);
  from.get(&read.boot_fuel);
  from.get(&read.hungriest);
  from.get(&read.generation);
  from.get(&read.findings);
  from.get(&read.boot_edges);
  for (auto count = from.get<uint64_t>(); count > 0 && !from.failed(); --count) {
    RecordedFact& fact = read.facts.emplace_back();
    from.get(&fact.edge);
    from.get(&fact.inputs);
  }
  if (from.failed()) return false;
  *recording = std::move(read);
  return true;
}

bool write_recording(const std::string& path, const std::string& identity,
                     const Recording& recording, std::string* error) {
  std::vector<uint32_t> sites;
  for (const auto& [site, inputs] : recording.reaching)
    sites.push_back(site);
  std::sort(sites.begin(), sites.end());
  Packer to;
  to.put(identity);
  to.put(recording.inputs);
  to.put(sites);
  for (uint32_t site : sites)
    to.put(recording.reaching.at(site));
  to.put(recording.boot_sites);
  to.put(recording.boot_fuel);
  to.put(recording.hungriest);
  to.put(recording.generation);
  to.put(recording.findings);
  to.put(recording.boot_edges);
  to.put<uint64_t>(recording.facts.size());
  for (const RecordedFact& fact : recording.facts) {
    to.put(fact.edge);
    to.put(fact.inputs);
  }
  std::string file(to.bytes().begin(), to.bytes().end());
  return write_file_atomically(path, file + sha256_hex(to.bytes()), error);
}

} // namespace kiln::gates
