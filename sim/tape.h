#pragma once
// The tape: one input, a finite byte string read as a stream of choices in lanes.
//
// Any byte string is a valid tape. Which lane a byte belongs to depends on its position alone, so
// changing one byte never reslices the others:
//
//   bytes 0..7            swarm
//   then rows of 16:      10 data, 2 sched, 2 world, 1 fault, 1 race
//
// Past the end of a lane every draw is 0, and 0 is always the ordinary choice: keep running, no
// loss, no fault, the plainest valid structure. Every draw consumes a fixed number of bytes that
// depends only on the call, little-endian.
//
// A tape comes from bytes (replay, shrinking, libFuzzer) or from (target, seed, iteration). In the
// second form lane lengths are drawn first, often short, and bytes are made only when they are read;
// `Tape::written()` gives the flat bytes which, read back, make the same run.
//
// Sched lane: not read by draws but as decisions, see sched_lane.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kiln::sim {

enum class Lane : uint8_t { kSwarm, kData, kSched, kWorld, kFault, kRace };
inline constexpr unsigned kLanes = 6;

inline constexpr size_t kSwarmBytes = 8;
inline constexpr size_t kRowBytes = 16;

/// Where byte `index` of `lane` stands in the flat tape.
size_t flat_position(Lane lane, size_t index);
/// The lane of a flat position, and its index there.
struct LanePosition {
  Lane lane;
  size_t index;
};
LanePosition lane_position(size_t flat);

/// Lanes as separate byte strings <-> one flat tape. Joining drops trailing zeros of every lane
/// (they change nothing); splitting never fails.
struct Lanes {
  std::vector<uint8_t> bytes[kLanes];
  std::vector<uint8_t>& operator[](Lane lane) { return bytes[static_cast<size_t>(lane)]; }
  const std::vector<uint8_t>& operator[](Lane lane) const {
    return bytes[static_cast<size_t>(lane)];
  }
  bool operator==(const Lanes&) const = default;
};
Lanes split_lanes(std::span<const uint8_t> flat);
std::vector<uint8_t> join_lanes(const Lanes& lanes);

/// What was drawn while a span was open; recorded only when asked for.
struct SpanRecord {
  const char* name;
  uint32_t parent;  ///< index of the enclosing span, or UINT32_MAX
  Lane lane;        ///< the lane that its name speaks of
  size_t begin[kLanes];
  size_t end[kLanes];
};
/// One draw, for `decode` and the shrinker.
struct DrawRecord {
  Lane lane;
  uint8_t width;    ///< bytes
  uint32_t span;    ///< innermost span, or UINT32_MAX
  size_t position;  ///< index in the lane
  uint64_t value;   ///< what the caller got, after reduction
};
struct TapeRecord {
  std::vector<SpanRecord> spans;
  std::vector<DrawRecord> draws;
};

/// Names an input that is made from a seed.
struct SeededInput {
  std::string_view target;
  uint64_t seed;
  uint64_t iteration;
  size_t longest;  ///< bytes of the target's longest tape, flat
};

class Tape {
 public:
  /// Reads `flat`, which must outlive the tape.
  explicit Tape(std::span<const uint8_t> flat);
  /// The input (target, seed, iteration); depends on nothing else.
  explicit Tape(const SeededInput& input);

  // --- Draws from the data lane; `in(lane)` draws from another. Each consumes the bytes named.

  /// A view that draws from one lane.
  class View {
   public:
    uint8_t u8() { return static_cast<uint8_t>(draw(1)); }
    uint16_t u16() { return static_cast<uint16_t>(draw(2)); }
    uint32_t u32() { return static_cast<uint32_t>(draw(4)); }
    uint64_t u64() { return draw(8); }
    /// In [0, n); n = 0 gives 0. Consumes as many bytes as n - 1 has (1, 2, 4 or 8); 0 maps to 0.
    uint64_t below(uint64_t n);
    /// In [low, high], both included; `low` is the ordinary choice. low <= high.
    uint64_t between(uint64_t low, uint64_t high);
    bool boolean() { return (draw(1) & 1) != 0; }
    /// True in about num of den cases (2 bytes; den <= 65536); false past the end.
    bool chance(uint32_t num, uint32_t den);
    /// True in about 1 of 4096 cases (2 bytes): for what ends a run early.
    bool rare();
    /// One of a list (at most 65536 entries); the first is the ordinary choice.
    template <typename T, size_t n> const T& pick(const T (&list)[n]) { return list[below(n)]; }
    template <typename T> const T& pick(std::span<const T> list) {
      return list[static_cast<size_t>(below(list.size()))];
    }
    /// An index chosen by weight (2 bytes; sum of weights <= 65536); 0 is the ordinary choice.
    size_t weighted(std::span<const uint16_t> weights);
    /// 0 past the end; else small values, powers of two and their neighbours, ends of ranges and
    /// raw bits, all likely (1 + 4 and 1 + 8 bytes).
    uint32_t edge32();
    uint64_t edge64();
    /// n bytes of the lane, each one a choice.
    void bytes(std::span<uint8_t> out);
    /// n bytes that come from one short draw (4 bytes): long payloads that no one has to shrink.
    void noise(std::span<uint8_t> out);
    /// Whether every byte of the lane has been read: draws are 0 from here on.
    bool at_end() const;

   private:
    friend class Tape;
    View(Tape& tape, Lane lane) : tape_(tape), lane_(lane) {}
    uint64_t draw(unsigned bytes);
    Tape& tape_;
    Lane lane_;
  };

  View in(Lane lane) { return View(*this, lane); }
  View data() { return in(Lane::kData); }
  View world() { return in(Lane::kWorld); }
  View fault() { return in(Lane::kFault); }
  View swarm() { return in(Lane::kSwarm); }

  /// Records spans and draws from here on (for `decode`, shrinking, mutation).
  void record_into(TapeRecord* record) { record_ = record; }

  /// Whether this tape was made from a seed (the scheduler then asks a strategy), and the stream
  /// that strategies draw from.
  bool seeded() const { return seeded_; }
  uint64_t strategy_seed() const { return strategy_seed_; }
  /// The sched lane's bytes; empty for a seeded tape.
  std::span<const uint8_t> sched_bytes() const { return sched_; }

  /// Flat bytes that make the same run: of each lane what was read, and `sched`, the decisions
  /// that the machine recorded.
  std::vector<uint8_t> written(std::span<const uint8_t> sched) const;

 private:
  friend class Span;
  uint8_t byte_at(Lane lane, size_t index) const;
  uint64_t draw(Lane lane, unsigned bytes);

  std::span<const uint8_t> flat_;
  std::vector<uint8_t> sched_;
  bool seeded_ = false;
  uint64_t strategy_seed_ = 0;
  uint64_t lane_seed_[kLanes] = {};
  size_t lane_length_[kLanes] = {};
  size_t position_[kLanes] = {};
  TapeRecord* record_ = nullptr;
  uint32_t open_span_ = UINT32_MAX;
};

/// Names the structure being drawn: `Span s(tape, "segment");`. Costs one test when not recorded.
class Span {
 public:
  Span(Tape& tape, const char* name, Lane lane = Lane::kData) : tape_(tape) {
    if (tape.record_ != nullptr) {
      open(name, lane);
    }
  }
  ~Span() {
    if (index_ != UINT32_MAX) {
      close();
    }
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  void open(const char* name, Lane lane);
  void close();
  Tape& tape_;
  uint32_t index_ = UINT32_MAX;
};

}  // namespace kiln::sim
