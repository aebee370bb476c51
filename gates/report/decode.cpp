// A tape in words.

#include "gates/report/decode.h"

#include <algorithm>
#include <fmt/format.h>

#include "gates/report/decode_draw.h"
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
      if (draw.lane == lane) take(draw);
    }
    print_row();
    return lines_.take();
  }

 private:
  void take(const DrawRecord& draw) {
    if (draw.shape.kind != sim::DrawKind::kByte) {
      print_row();
      return print(draw, draw_asked(draw), draw_came(draw), bytes_of(lanes_, draw));
    }
    bool goes_on = row_bytes_ > 0 && row_bytes_ < kBytesInARow && draw.span == row_.span &&
                   draw.position == row_.position + row_bytes_;
    if (!goes_on) {
      print_row();
      row_ = draw;
    }
    row_.width = static_cast<uint8_t>(++row_bytes_);
  }

  /// Bytes that were drawn one behind the other.
  void print_row() {
    if (row_bytes_ == 0) return;
    row_bytes_ = 0;
    const std::span<const uint8_t> bytes = bytes_of(lanes_, row_);
    const char* asked = row_.width == 1 ? "{} byte" : "{} bytes";
    print(row_, fmt::format(fmt::runtime(asked), row_.width), bytes_in_words(bytes), bytes);
  }

  void print(const DrawRecord& draw, const std::string& asked, const std::string& came,
             std::span<const uint8_t> bytes) {
    if (all_zero(bytes) && !options_.ordinary) return;
    const std::vector<uint32_t> path = path_to(record_, draw.span);
    print_spans(path);
    std::string line = fmt::format("@{:<4} {:<20} {}", draw.position, asked, came);
    if (bytes.empty()) line += "  (past the end)";
    lines_.add(static_cast<unsigned>(path.size()), line);
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
  DrawRecord row_{};
  size_t row_bytes_ = 0;
};

std::string print_bytes(std::span<const uint8_t> bytes, const DecodeOptions& options) {
  Lines lines(options.most_lines);
  for (size_t at = 0; at < bytes.size(); at += kBytesInARow) {
    const size_t size = std::min(kBytesInARow, bytes.size() - at);
    lines.add(0, fmt::format("@{:<4} {}", at, bytes_in_words(bytes.subspan(at, size))));
  }
  return lines.take();
}

std::string print_lines(const std::vector<std::string>& all, const DecodeOptions& options) {
  Lines lines(options.most_lines);
  for (const std::string& line : all)
    lines.add(0, line);
  return lines.take();
}

const char* meaning_of(Lane lane) {
  switch (lane) {
  case Lane::kSwarm:
    return "what there is at all";
  case Lane::kData:
    return "what is built";
  case Lane::kSched:
    return "who runs when";
  case Lane::kWorld:
    return "how the world behaves";
  case Lane::kFault:
    return "what goes wrong";
  case Lane::kRace:
    break;
  }
  return "points between accesses";
}

} // namespace

std::string decode(std::span<const uint8_t> tape, const TapeRecord& record,
                   const std::vector<std::string>& schedule, const DecodeOptions& options) {
  const sim::Lanes lanes = split_and_trim(tape);
  const Candidate candidate = take_apart(tape);
  std::string text =
      fmt::format("{} bytes, {} choices that are not the ordinary one{}\n", tape.size(),
                  weigh(candidate, numbers_of(candidate, record)).choices,
                  options.ordinary ? "" : " (--all prints the others, too)");
  for (unsigned i = 0; i < sim::kLanes; ++i) {
    const Lane lane = static_cast<Lane>(i);
    std::string body = lane == Lane::kSched   ? print_lines(schedule, options)
                       : record.draws.empty() ? print_bytes(lanes[lane], options)
                                              : LanePrinter(lanes, record, options).print(lane);
    if (!body.empty())
      text += fmt::format("\n{}: {} ({} bytes)\n{}", sim::lane_name(lane), meaning_of(lane),
                          lanes[lane].size(), body);
  }
  return text;
}

} // namespace kiln::gates
