// The rings of elements and of bytes, against std::deque. The elements tell when they are ended
// twice or not at all.

#include <algorithm>
#include <deque>
#include <utility>

#include "kernel-src/lib/byte_ring.h"
#include "kernel-src/lib/ring.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "targets/lib/containers/programs.h"

namespace kiln::targets {
namespace {

const sim::Probe kFull{kContainers, "a ring is full"};
const sim::Probe kOverwritten{kContainers, "a full ring loses its oldest element"};
const sim::Probe kWrapped{kContainers, "positions in a ring have wrapped"};
const sim::Probe kTwoPieces{kContainers, "bytes of a ring lie in two pieces"};
const sim::Probe kPartWritten{kContainers, "a byte ring takes only a part"};

/// Counts the elements that live.
class Element {
 public:
  Element(uint32_t number, int& alive) : number_(number), alive_(&alive) { ++alive; }
  Element(Element&& other) noexcept : number_(other.number_), alive_(other.alive_) { ++*alive_; }
  Element& operator=(Element&&) = delete;
  ~Element() { --*alive_; }
  uint32_t number() const { return number_; }

 private:
  uint32_t number_;
  int* alive_;
};

class RingProgram {
 public:
  RingProgram(sim::Run& run, int& alive) : data_(run.tape.data()), alive_(alive) {}

  void step();
  void check();

 private:
  using Elements = clay::Ring<Element, 8>;

  void push();
  void push_over();
  void pop();

  sim::Tape::View data_;
  int& alive_; ///< elements that live
  uint32_t next_ = 0;
  Elements ring_;
  std::deque<uint32_t> model_;
};

void RingProgram::push() {
  const bool room = model_.size() < Elements::kCapacity;
  const bool taken = ring_.push(Element(next_, alive_)).ok();
  KILN_CHECK(taken == room, "a ring with %zu elements %s another", model_.size(),
             taken ? "takes" : "refuses");
  if (taken) {
    model_.push_back(next_);
  } else {
    kFull.hit();
  }
  ++next_;
}

void RingProgram::push_over() {
  const bool full = model_.size() == Elements::kCapacity;
  const bool lost = ring_.push_over(Element(next_, alive_));
  KILN_CHECK(lost == full, "push_over is wrong about whether an element was lost");
  if (full) {
    model_.pop_front();
    kOverwritten.hit();
  }
  model_.push_back(next_++);
}

void RingProgram::pop() {
  clay::Result<Element> got = ring_.pop();
  KILN_CHECK(got.ok() == !model_.empty(), "a ring is wrong about being empty");
  if (got.ok()) {
    KILN_CHECK(got.value().number() == model_.front(), "a ring gave %u, its model %u",
               got.value().number(), model_.front());
    model_.pop_front();
  }
}

void RingProgram::step() {
  switch (data_.below(6)) {
  case 0:
  case 1:
    return push();
  case 2:
  case 3:
    return pop();
  case 4:
    return push_over();
  default:
    if (data_.below(8) == 7) {
      ring_.clear();
      model_.clear();
    }
    return push();
  }
}

void RingProgram::check() {
  if (next_ > 4) kWrapped.hit();
  KILN_CHECK(ring_.size() == model_.size(), "a ring has %u elements, its model %zu", ring_.size(),
             model_.size());
  KILN_CHECK(static_cast<size_t>(alive_) == model_.size(), "%d elements live, %zu are in the ring",
             alive_, model_.size());
  for (uint32_t i = 0; i < ring_.size(); ++i) {
    KILN_CHECK(ring_[i].number() == model_[i], "element %u of a ring is wrong", i);
  }
  KILN_CHECK(model_.empty() ? ring_.front() == nullptr && ring_.back() == nullptr
                            : ring_.front()->number() == model_.front() &&
                                  ring_.back()->number() == model_.back(),
             "the ends of a ring are wrong");
}

class ByteRingProgram {
 public:
  explicit ByteRingProgram(sim::Run& run)
      : data_(run.tape.data()), capacity_(static_cast<size_t>(data_.below(kMostCapacity + 1))),
        ring_(clay::MutableBytes(storage_, capacity_)) {}

  void step();
  void check();

 private:
  static constexpr size_t kMostCapacity = 24;
  static constexpr size_t kMostTaken = 32;

  void write(size_t count);
  void read(size_t count);
  void peek(size_t offset, size_t count);
  void expect(const uint8_t* got, size_t offset, size_t count, const char* what);

  sim::Tape::View data_;
  size_t capacity_;
  uint8_t next_ = 0;
  uint8_t storage_[kMostCapacity] = {};
  clay::ByteRing ring_;
  std::deque<uint8_t> model_;
};

void ByteRingProgram::write(size_t count) {
  uint8_t bytes[kMostTaken];
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = next_ = static_cast<uint8_t>((next_ + 1) & 0xFF);
  }
  const size_t want = std::min(count, capacity_ - model_.size());
  const size_t got = ring_.write(clay::Bytes(bytes, count));
  KILN_CHECK(got == want, "a byte ring took %zu bytes, not %zu", got, want);
  if (want != 0 && want < count) kPartWritten.hit();
  model_.insert(model_.end(), bytes, bytes + want);
}

void ByteRingProgram::expect(const uint8_t* got, size_t offset, size_t count, const char* what) {
  KILN_CHECK(std::equal(got, got + count, model_.begin() + static_cast<ptrdiff_t>(offset)),
             "%s gave other bytes than were written", what);
}

void ByteRingProgram::read(size_t count) {
  uint8_t bytes[kMostTaken];
  const size_t want = std::min(count, model_.size());
  const size_t got = ring_.read(clay::MutableBytes(bytes, count));
  KILN_CHECK(got == want, "a byte ring gave %zu bytes, not %zu", got, want);
  expect(bytes, 0, want, "reading");
  model_.erase(model_.begin(), model_.begin() + static_cast<ptrdiff_t>(want));
}

void ByteRingProgram::peek(size_t offset, size_t count) {
  uint8_t bytes[kMostTaken];
  const size_t want = offset < model_.size() ? std::min(count, model_.size() - offset) : 0;
  const size_t got = ring_.peek(offset, clay::MutableBytes(bytes, count));
  KILN_CHECK(got == want, "a byte ring showed %zu bytes, not %zu", got, want);
  expect(bytes, want == 0 ? 0 : offset, want, "peeking");
}

void ByteRingProgram::step() {
  const size_t count = static_cast<size_t>(data_.below(kMostTaken + 1));
  switch (data_.below(6)) {
  case 0:
  case 1:
    return write(count);
  case 2:
  case 3:
    return read(count);
  case 4:
    return peek(static_cast<size_t>(data_.below(kMostCapacity + 2)), count);
  default: {
    if (count == kMostTaken) {
      ring_.clear();
      return model_.clear();
    }
    const size_t dropped = std::min(count, model_.size());
    ring_.drop(dropped);
    model_.erase(model_.begin(), model_.begin() + static_cast<ptrdiff_t>(dropped));
  }
  }
}

void ByteRingProgram::check() {
  KILN_CHECK(ring_.size() == model_.size() && ring_.room() == capacity_ - model_.size(),
             "a byte ring holds %zu bytes, its model %zu", ring_.size(), model_.size());
  KILN_CHECK(ring_.empty() == model_.empty() && ring_.full() == (model_.size() == capacity_),
             "a byte ring with %zu bytes of %zu is wrong about being empty or full", ring_.size(),
             capacity_);
  const clay::Bytes piece = ring_.front_piece();
  KILN_CHECK(piece.size() <= model_.size() && piece.empty() == model_.empty(),
             "the first piece of a byte ring is %zu bytes of %zu", piece.size(), model_.size());
  if (piece.size() < model_.size()) kTwoPieces.hit();
  expect(piece.data(), 0, piece.size(), "the first piece");
}

template <typename Program> void run_steps(sim::Run& run, Program& program) {
  for (unsigned step = 0; step < kMostSteps && !run.tape.data().at_end(); ++step) {
    sim::Span span(run.tape, "step");
    program.step();
    program.check();
  }
}

} // namespace

void run_ring(sim::Run& run) {
  int alive = 0;
  {
    RingProgram program(run, alive);
    run_steps(run, program);
  }
  KILN_CHECK(alive == 0, "%d elements outlive their ring", alive);
}

void run_byte_ring(sim::Run& run) {
  ByteRingProgram program(run);
  run_steps(run, program);
}

} // namespace kiln::targets
