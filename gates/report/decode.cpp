// A tape in words.

#include "gates/report/decode.h"

#include <algorithm>
#include <fmt/format.h>

#include "gates/tape/candidate.h"

namespace kiln::gates {
namespace {

using sim::DrawRecord;
using sim::Lane;
using sim::TapeRecord;

constexpr uint32_t kNoSpan = UINT32_MAX;
constexpr size_t kBytesInARow = 16;

/// Lines of one lane, cut off after a number of them.
class Lines {
 public:
  explicit Lines(size_t most) : most_(most) {}
  void add(unsigned depth, const std::string& line) {
    ++count_;
    if (most_ == 0 || count_ <= most_) text_ += fmt::format("{:{}}{}\n", "", 2 + 2 * depth, line);
  }
  std::string take() {
    if (most_ != 0 && count_ > most_) text_ += fmt::format("  ... {} more\n", count_ - most_);
    return text_;
  }

 private:
  size_t most_;
  size_t count_ = 0;
  std::string text_;
};

/// The spans around a draw, outermost first.
std::vector<uint32_t> path_to(const TapeRecord& record, uint32_t span) {
  std::vector<uint32_t> path;
  for (; span != kNoSpan; span = record.spans[span].parent) {
    path.insert(path.begin(), span);
  }
  return path;
}

std::string bytes_in_hex(std::span<const uint8_t> bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, " "));
}

std::span<const uint8_t> bytes_of(const sim::Lanes& lanes, const DrawRecord& draw) {
  const std::span<const uint8_t> bytes = lanes[draw.lane];
  if (draw.position >= bytes.size()) return {};
  return bytes.subspan(draw.position, std::min<size_t>(draw.width, bytes.size() - draw.position));
}

/// Trailing zeros are there only because of longer lanes beside.
sim::Lanes split_and_trim(std::span<const uint8_t> tape) {
  sim::Lanes lanes = sim::split_lanes(tape);
  for (std::vector<uint8_t>& bytes : lanes.bytes) {
    while (!bytes.empty() && bytes.back() == 0) {
      bytes.pop_back();
    }
  }
  return lanes;
}

bool all_zero(std::span<const uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

/// Prints the draws of one lane below the spans that they lie in.
class LanePrinter {
 public:
  LanePrinter(const sim::Lanes& lanes, const TapeRecord& record, const DecodeOptions& options)
      : lanes_(lanes), record_(record), options_(options), lines_(options.most_lines) {}

  std::string print(Lane lane) {
    for (const DrawRecord& draw : record_.draws) {
      if (draw.lane == lane) print_draw(draw);
    }
    return lines_.take();
  }

 private:
  void print_draw(const DrawRecord& draw) {
    const std::span<const uint8_t> bytes = bytes_of(lanes_, draw);
    if (all_zero(bytes) && !options_.ordinary) return;
    const std::vector<uint32_t> path = path_to(record_, draw.span);
    print_spans(path);
    lines_.add(static_cast<unsigned>(path.size()),
               fmt::format("@{} {} = {}", draw.position,
                           bytes.empty() ? "past the end" : bytes_in_hex(bytes), draw.value));
  }

  /// Headings of the spans that have not been opened by the draw before.
  void print_spans(const std::vector<uint32_t>& path) {
    size_t same = 0;
    while (same < path.size() && same < open_.size() && path[same] == open_[same]) {
      ++same;
    }
    for (size_t i = same; i < path.size(); ++i) {
      lines_.add(static_cast<unsigned>(i),
                 fmt::format("{} #{}", record_.spans[path[i]].name, path[i]));
    }
    open_ = path;
  }

  const sim::Lanes& lanes_;
  const TapeRecord& record_;
  const DecodeOptions& options_;
  Lines lines_;
  std::vector<uint32_t> open_;
};

std::string print_bytes(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  Lines lines(options.most_lines);
  for (size_t at = 0; at < bytes.size(); at += kBytesInARow) {
    const size_t size = std::min(kBytesInARow, bytes.size() - at);
    lines.add(0, fmt::format("@{} {}", at, bytes_in_hex(bytes.subspan(at, size))));
  }
  return lines.take();
}

std::string print_decisions(std::span<const sim::Decision> decisions,
                            const DecodeOptions& options) {
  Lines lines(options.most_lines);
  for (const sim::Decision& decision : decisions) {
    lines.add(0, fmt::format("at scheduling point {}: alternative {}", decision.point,
                             decision.alternative));
  }
  return lines.take();
}

} // namespace

std::string decode(std::span<const uint8_t> tape, const TapeRecord& record,
                   const DecodeOptions& options) {
  const sim::Lanes lanes = split_and_trim(tape);
  const Candidate candidate = take_apart(tape);
  std::string text = fmt::format("{} bytes, {} choices\n", tape.size(),
                                 weigh(candidate, numbers_of(candidate, record)).choices);
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    const Lane lane = static_cast<Lane>(i);
    std::string body = lane == Lane::kSched   ? print_decisions(candidate.decisions, options)
                       : record.draws.empty() ? print_bytes(lanes[lane], options)
                                              : LanePrinter(lanes, record, options).print(lane);
    if (!body.empty())
      text += fmt::format("{} ({} bytes)\n{}", sim::lane_name(lane), lanes[lane].size(), body);
  }
  return text;
}

} // namespace kiln::gates
