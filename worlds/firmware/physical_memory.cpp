#include "worlds/firmware/physical_memory.h"

#include <algorithm>
#include <cinttypes>
#include <utility>

#include "sim/machine.h"

namespace kiln::worlds {
namespace {

constexpr uint64_t kPage = 4096;
// A header, a sum and what a table says are read one after the other, each through a new mapping.
constexpr unsigned kAgainMax = 8;

} // namespace

bool Extent::covers(const Extent& other) const {
  return other.first >= first && other.first - first <= bytes &&
         other.bytes <= bytes - (other.first - first);
}

void PhysicalMemory::put(uint64_t first, std::vector<uint8_t> bytes) {
  if (!bytes.empty()) pieces_.push_back({first, std::move(bytes)});
}

void PhysicalMemory::copy(uint64_t first, std::span<uint8_t> out) const {
  std::fill(out.begin(), out.end(), uint8_t{0xFF});
  for (const Piece& piece : pieces_) {
    // Where the piece begins in `out`, or where `out` begins in the piece.
    const uint64_t into_out = piece.first - first;
    const uint64_t into_piece = first - piece.first;
    if (into_piece < piece.bytes.size()) {
      const size_t count = std::min<size_t>(out.size(), piece.bytes.size() - into_piece);
      std::copy_n(piece.bytes.begin() + static_cast<ptrdiff_t>(into_piece), count, out.begin());
    } else if (into_out < out.size()) {
      const size_t count = std::min<size_t>(out.size() - into_out, piece.bytes.size());
      std::copy_n(piece.bytes.begin(), count, out.begin() + static_cast<ptrdiff_t>(into_out));
    }
  }
}

std::vector<uint8_t> PhysicalMemory::read(uint64_t first, size_t bytes) const {
  std::vector<uint8_t> out(bytes);
  copy(first, out);
  return out;
}

void MemoryWindow::judge_by(std::span<const Extent> allowed) {
  allowed_.assign(allowed.begin(), allowed.end());
  judging_ = true;
  last_allowed_ = 0;
  for (const Extent& request : std::exchange(early_, {})) {
    judge(request);
  }
}

void MemoryWindow::judge(const Extent& request) {
  if (!judging_) {
    early_.push_back(request);
    return;
  }
  if (last_allowed_ < allowed_.size() && allowed_[last_allowed_].covers(request)) return;
  const auto found = std::find_if(allowed_.begin(), allowed_.end(),
                                  [&](const Extent& each) { return each.covers(request); });
  KILN_CHECK(found != allowed_.end(),
             "%" PRIu64 " bytes from 0x%" PRIx64 " are mapped: no table has all of them",
             request.bytes, request.first);
  last_allowed_ = static_cast<size_t>(found - allowed_.begin());
}

void MemoryWindow::judge_again(const Extent& request) {
  const bool same = request.first == latest_.first && request.bytes == latest_.bytes;
  again_ = same ? again_ + 1 : 0;
  latest_ = request;
  KILN_CHECK(again_ < kAgainMax,
             "the %" PRIu64 " bytes from 0x%" PRIx64 " are mapped %u times in a row", request.bytes,
             request.first, again_ + 1);
}

bool MemoryWindow::is_refused(uint64_t physical) {
  if (refused_page_.has_value() && physical / kPage * kPage != *refused_page_) return false;
  return counted_++ == refused_request_;
}

MemoryWindow::Answer MemoryWindow::map(uint64_t physical, size_t bytes) {
  KILN_CHECK(bytes != 0, "nothing is mapped, at 0x%" PRIx64, physical);
  KILN_CHECK(bytes <= kPage - physical % kPage,
             "%zu bytes from 0x%" PRIx64 " are mapped: they do not lie in one page", bytes,
             physical);
  judge({physical, bytes});
  judge_again({physical, bytes});
  ++requests_;
  const bool full = is_refused(physical) || held_.size() >= slots_;
  if (full || physical > last_) {
    refused_.push_back({physical, bytes});
    return {full ? Refusal::kTooMany : Refusal::kOutOfRange, {}};
  }
  auto block = std::make_unique<sim::ExactBlock>(bytes);
  memory_.copy(physical, block->bytes());
  held_.push_back(std::move(block));
  most_held_ = std::max(most_held_, held_.size());
  return {Refusal::kNone, held_.back()->bytes()};
}

void MemoryWindow::unmap(std::span<const uint8_t> mapped) {
  const auto found = std::find_if(held_.begin(), held_.end(), [&](const auto& block) {
    return block->bytes().data() == mapped.data();
  });
  KILN_CHECK(found != held_.end(), "something is unmapped that is not mapped");
  KILN_CHECK((*found)->bytes().size() == mapped.size(), "%zu bytes are unmapped of %zu",
             mapped.size(), (*found)->bytes().size());
  held_.erase(found);
}

void MemoryWindow::check_all_unmapped() const {
  KILN_CHECK(held_.empty(), "%zu mappings are left", held_.size());
}

} // namespace kiln::worlds
