#pragma once
// The tape: one input, a finite byte string read as a stream of choices in lanes.
//
// Any byte string is a valid tape. Which lane a byte belongs to depends on its position alone, so
// changing one byte never reslices the others (lanes.h has the layout).
//
// Past the end of a lane every draw is 0, and 0 is always the ordinary choice: keep running, no
// loss, no fault, the plainest valid structure. Every draw consumes a fixed number of bytes that
// depends only on the call, little-endian.
//
// A tape comes from bytes (replay, shrinking, libFuzzer) or from (target, seed, iteration). In the
// second form lane lengths are drawn first, often short, and bytes are made only when they are
// read; `Tape::written()` gives the flat bytes which, read back, make the same run.
//
// Sched lane: not read by draws but as decisions, see sched_lane.h.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "sim/host_vector.h"
#include "sim/lanes.h"

namespace kiln::sim {

/// What was drawn while a span was open; recorded only when asked for.
struct SpanRecord {
  const char* name;
  uint32_t parent; ///< index of the enclosing span, or UINT32_MAX
  Lane lane;       ///< the lane that its name speaks of
  bool closed;     ///< false: the run ended inside
  /// Bytes drawn before and inside, of each lane; for the sched lane: scheduling points gone by.
  size_t begin[kLanes];
  size_t end[kLanes];
};
/// What a draw was asked for; behind it what DrawShape's numbers hold.
enum class DrawKind : uint8_t {
  kBits,     ///< u8 to u64
  kBelow,    ///< last: n
  kBetween,  ///< first, last: both included
  kBoolean,  ///< value: 1 = true
  kChance,   ///< first of last cases; value: 1 = true
  kRare,     ///< value: 1 = true
  kPick,     ///< last: entries of the list; value: the index
  kWeighted, ///< last: weights; value: the index
  kEdge,
  kByte,  ///< one of View::bytes
  kNoise, ///< last: bytes that were made of it
};
struct DrawShape {
  DrawKind kind = DrawKind::kBits;
  uint64_t first = 0;
  uint64_t last = 0;
};
/// One draw, for `decode` and the shrinker. A byte of View::bytes is a draw of its own.
struct DrawRecord {
  Lane lane;
  uint8_t width;   ///< bytes
  uint32_t span;   ///< innermost span, or UINT32_MAX
  size_t position; ///< index in the lane
  uint64_t value;  ///< what the caller got, after reduction; for noise the short draw
  DrawShape shape;
};
/// Grows during a run, hence on the host's memory. Positions past the end of a lane are draws of 0.
struct TapeRecord {
  HostVector<SpanRecord> spans;
  HostVector<DrawRecord> draws;
};

/// How far a lane has been read. `window` holds its next `available` bytes, the first one lowest.
struct LaneState {
  uint64_t window = 0;
  size_t available = 0;
  size_t window_end = 0; ///< index in the lane of the byte after the window
  size_t length = 0;     ///< reading past it gives zeros
  uint64_t seed = 0;     ///< of the lane's bytes, when the tape is seeded
  size_t position() const { return window_end - available; }
};

/// Names an input that is made from a seed.
struct SeededInput {
  std::string_view target;
  uint64_t seed;
  uint64_t iteration;
  size_t longest; ///< bytes of the target's longest tape, flat
  /// The input is its number: the data lane is `iteration`, 8 bytes little-endian, every other lane
  /// is empty and the seed says nothing. For targets that count through a finite space.
  bool numbered = false;
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
    /// In [0, n): the bytes modulo n; n = 0 gives 0. Consumes as many bytes as n - 1 has (1, 2, 4
    /// or 8; 1 for n below 2).
    uint64_t below(uint64_t n) { return index_below(n, DrawKind::kBelow); }
    /// In [low, high], both included; `low` is the ordinary choice. low <= high.
    uint64_t between(uint64_t low, uint64_t high) {
      uint64_t last = high - low;
      unsigned width = width_of(last);
      uint64_t value = raw(width);
      return noted(width, low + (last == UINT64_MAX ? value : reduce(value, last + 1)),
                   {DrawKind::kBetween, low, high});
    }
    bool boolean() {
      uint64_t value = raw(1);
      return noted(1, value & 1, {DrawKind::kBoolean}) != 0;
    }
    /// True in about num of den cases (2 bytes; den <= 65536); false for 0, true for 1 if num > 0.
    bool chance(uint32_t num, uint32_t den) {
      uint64_t value = raw(2);
      bool yes = value != 0 && reduce(value - 1, den) < num;
      return noted(2, yes ? 1 : 0, {DrawKind::kChance, num, den}) != 0;
    }
    /// True in 16 of 65536 cases (2 bytes): for what ends a run early. No value that a mutator
    /// likes (small, a power of two, all ones) is one of them.
    bool rare() {
      uint64_t value = raw(2);
      return noted(2, (value & 0x0FFF) == 0x0A5A ? 1 : 0, {DrawKind::kRare}) != 0;
    }
    /// One of a list (at most 65536 entries); the first is the ordinary choice.
    template <typename T, size_t n> const T& pick(const T (&list)[n]) {
      return list[index_below(n, DrawKind::kPick)];
    }
    /// `list`: a span, a std::array, a std::vector; not empty.
    template <typename C> const auto& pick(const C& list) {
      return list[static_cast<size_t>(index_below(list.size(), DrawKind::kPick))];
    }
    /// An index chosen by weight (2 bytes; sum of weights <= 65536); 0 is the ordinary choice.
    size_t weighted(std::span<const uint16_t> weights);
    size_t weighted(std::initializer_list<uint16_t> weights) {
      return weighted(std::span<const uint16_t>(weights.begin(), weights.size()));
    }
    /// 0 past the end; else small values, powers of two and their neighbours, ends of ranges and
    /// raw bits, all likely (1 + 4 and 1 + 8 bytes).
    uint32_t edge32();
    uint64_t edge64();
    /// n bytes of the lane, each one a choice.
    void bytes(std::span<uint8_t> out);
    /// n bytes that come from one short draw (4 bytes): long payloads that no one has to shrink.
    /// Zeros when the draw is 0.
    void noise(std::span<uint8_t> out);
    /// Whether every byte of the lane has been read: draws are 0 from here on.
    bool at_end() const { return state_.position() >= state_.length; }

   private:
    friend class Tape;
    View(Tape& tape, Lane lane)
        : tape_(tape), state_(tape.lanes_[static_cast<size_t>(lane)]), lane_(lane) {}

    static unsigned width_of(uint64_t last) {
      return last <= 0xFF ? 1 : last <= 0xFFFF ? 2 : last <= 0xFFFFFFFF ? 4 : 8;
    }
    static unsigned width_below(uint64_t n) { return n == 0 ? 1 : width_of(n - 1); }
    static uint64_t reduce(uint64_t value, uint64_t n) {
      if (value < n || n == 0) return n == 0 ? 0 : value;
      // A 32-bit division takes half the time.
      if ((value | n) >> 32 == 0) return static_cast<uint32_t>(value) % static_cast<uint32_t>(n);
      return value % n;
    }

    /// The next 1, 2, 4 or 8 bytes of the lane, little-endian, zeros past the end.
    uint64_t raw(unsigned width) {
      if (width <= state_.available && width < 8) [[likely]] {
        uint64_t value = state_.window & ((uint64_t{1} << (8 * width)) - 1);
        state_.window >>= 8 * width;
        state_.available -= width;
        return value;
      }
      return tape_.draw_across(lane_, width);
    }
    uint64_t noted(unsigned width, uint64_t value, const DrawShape& shape) {
      if (tape_.record_ != nullptr) [[unlikely]] {
        tape_.note(lane_, width, value, shape);
      }
      return value;
    }
    uint64_t draw(unsigned width) { return noted(width, raw(width), {}); }
    uint64_t index_below(uint64_t n, DrawKind kind) {
      unsigned width = width_below(n);
      return noted(width, reduce(raw(width), n), {kind, 0, n});
    }

    Tape& tape_;
    LaneState& state_;
    Lane lane_;
  };

  View in(Lane lane) { return View(*this, lane); }
  View data() { return in(Lane::kData); }
  View world() { return in(Lane::kWorld); }
  View fault() { return in(Lane::kFault); }
  View swarm() { return in(Lane::kSwarm); }

  /// Records spans and draws from here on (for `decode`, shrinking, mutation).
  void record_into(TapeRecord* record) { record_ = record; }
  /// Where the machine counts scheduling points: spans then tell which points lie in them.
  void set_point_counter(const uint64_t* points) { points_ = points; }

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

  /// A draw that the window cannot serve.
  uint64_t draw_across(Lane lane, unsigned width);
  void refill(Lane lane);
  /// Makes of a seeded tape one that is a number.
  void number(uint64_t iteration);
  /// Eight bytes of a lane; `index` lies inside it, and for a seeded tape is a multiple of 8.
  uint64_t block(Lane lane, size_t index) const;
  std::vector<uint8_t> bytes_read(Lane lane) const;
  void note(Lane lane, unsigned width, uint64_t value, const DrawShape& shape);
  size_t points() const { return points_ == nullptr ? 0 : static_cast<size_t>(*points_); }

  LaneState lanes_[kLanes];
  std::span<const uint8_t> flat_;
  std::vector<uint8_t> sched_;
  bool seeded_ = false;
  bool numbered_ = false;
  uint64_t strategy_seed_ = 0;
  TapeRecord* record_ = nullptr;
  const uint64_t* points_ = nullptr;
  uint32_t open_span_ = UINT32_MAX;
};

/// Names the structure being drawn: `Span s(tape, "segment");`. The name must be static. Costs one
/// test when not recorded.
class Span {
 public:
  Span(Tape& tape, const char* name, Lane lane = Lane::kData) : tape_(tape) {
    if (tape.record_ != nullptr) [[unlikely]] {
      open(name, lane);
    }
  }
  ~Span() {
    if (index_ != UINT32_MAX) [[unlikely]] {
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

} // namespace kiln::sim
