// lib/bytes: the bounded reader and writer against plain arithmetic in wider numbers.
//
// A block of the heap, exactly as long as the window, is read by random calls (numbers of both byte
// orders, runs, sub-readers, texts, moves; lengths and places up to SIZE_MAX), then written by
// others. Checks: which calls succeed, what they give, where the position stands, and by the heap's
// guards that nothing outside is touched.

#include <algorithm>

#include "kernel-src/lib/byte_reader.h"
#include "kernel-src/lib/byte_writer.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln::targets {
namespace {

constexpr const char* kName = "lib/bytes";
const sim::Probe kTruncated{kName, "a number is cut by the window's end"};
const sim::Probe kLastByte{kName, "a number ends with the window"};
const sim::Probe kHugeLength{kName, "a length near SIZE_MAX"};
const sim::Probe kHugePlace{kName, "a place near SIZE_MAX"};
const sim::Probe kText{kName, "a text with its NUL"};
const sim::Probe kNoNul{kName, "a text without a NUL"};
const sim::Probe kSub{kName, "a window within a window"};
const sim::Probe kEmptyWindow{kName, "a window of no bytes"};
const sim::Probe kAligned{kName, "the position moves to a boundary"};
const sim::Probe kPastEnd{kName, "the next boundary lies behind the end"};
const sim::Probe kCopied{kName, "bytes are copied out"};
const sim::Probe kNoRoom{kName, "a write does not fit"};

/// Small ones mostly, and now and then one from which a sum wraps.
size_t draw_length(sim::Tape::View& data, const sim::Probe& huge) {
  const uint8_t kind = data.u8();
  if (kind < 0xF0) {
    return kind % 12;
  }
  huge.hit();
  return SIZE_MAX - (kind & 0x0F);
}

/// The number in `width` bytes, put together one by one.
uint64_t number_in(const uint8_t* bytes, size_t width, bool big) {
  uint64_t number = 0;
  for (size_t i = 0; i < width; ++i) {
    number = number << 8 | bytes[big ? i : width - 1 - i];
  }
  return number;
}

class ReaderProgram {
 public:
  ReaderProgram(sim::Run& run, clay::Bytes bytes)
      : data_(run.tape.data()), bytes_(bytes), reader_(bytes) {}

  void step();
  void check() const;

 private:
  size_t left() const { return bytes_.size() - position_; }
  size_t draw_place() {
    return data_.boolean() ? draw_length(data_, kHugePlace)
                           : static_cast<size_t>(data_.below(bytes_.size() + 2));
  }

  template <typename T, typename Got> void expect_number(Got got, size_t at, bool fits, bool big);
  template <typename T> void next_number(clay::Result<T> (clay::ByteReader::*read)(), bool big);
  template <typename T>
  void number_at(clay::Result<T> (clay::ByteReader::*read)(size_t) const, bool big);
  void next();
  void at_place();
  void run_of_bytes();
  void skip();
  void copy();
  void sub();
  void sub_at();
  void text();
  void seek();
  void align();

  sim::Tape::View data_;
  clay::Bytes bytes_;
  clay::ByteReader reader_;
  size_t position_ = 0;
};

template <typename T, typename Got>
void ReaderProgram::expect_number(Got got, size_t at, bool fits, bool big) {
  KILN_CHECK(got.ok() == fits, "a number of %zu bytes at %zu of %zu is %s", sizeof(T), at,
             bytes_.size(), got.ok() ? "read" : "refused");
  if (!fits) {
    kTruncated.hit();
    return;
  }
  if (at + sizeof(T) == bytes_.size()) kLastByte.hit();
  KILN_CHECK(got.value() == number_in(bytes_.data() + at, sizeof(T), big),
             "a number of %zu bytes at %zu has the wrong value", sizeof(T), at);
}

template <typename T>
void ReaderProgram::next_number(clay::Result<T> (clay::ByteReader::*read)(), bool big) {
  const bool fits = left() >= sizeof(T);
  expect_number<T>((reader_.*read)(), position_, fits, big);
  position_ += fits ? sizeof(T) : 0;
}

template <typename T>
void ReaderProgram::number_at(clay::Result<T> (clay::ByteReader::*read)(size_t) const, bool big) {
  const size_t place = draw_place();
  const bool fits = place <= bytes_.size() && bytes_.size() - place >= sizeof(T);
  expect_number<T>((reader_.*read)(place), place, fits, big);
}

void ReaderProgram::next() {
  using Reader = clay::ByteReader;
  switch (data_.below(7)) {
  case 0:
    return next_number(&Reader::u8, true);
  case 1:
    return next_number(&Reader::be16, true);
  case 2:
    return next_number(&Reader::be32, true);
  case 3:
    return next_number(&Reader::be64, true);
  case 4:
    return next_number(&Reader::le16, false);
  case 5:
    return next_number(&Reader::le32, false);
  default:
    return next_number(&Reader::le64, false);
  }
}

void ReaderProgram::at_place() {
  using Reader = clay::ByteReader;
  switch (data_.below(7)) {
  case 0:
    return number_at(&Reader::u8_at, true);
  case 1:
    return number_at(&Reader::be16_at, true);
  case 2:
    return number_at(&Reader::be32_at, true);
  case 3:
    return number_at(&Reader::be64_at, true);
  case 4:
    return number_at(&Reader::le16_at, false);
  case 5:
    return number_at(&Reader::le32_at, false);
  default:
    return number_at(&Reader::le64_at, false);
  }
}

void ReaderProgram::run_of_bytes() {
  const size_t count = draw_length(data_, kHugeLength);
  const bool fits = count <= left();
  const clay::Result<clay::Bytes> got = reader_.bytes(count);
  KILN_CHECK(got.ok() == fits, "%zu bytes of %zu are %s", count, left(),
             got.ok() ? "read" : "refused");
  if (fits) {
    KILN_CHECK(got.value().data() == bytes_.data() + position_ && got.value().size() == count,
               "a run of bytes lies elsewhere");
    position_ += count;
  }
}

void ReaderProgram::skip() {
  const size_t count = draw_length(data_, kHugeLength);
  const bool fits = count <= left();
  KILN_CHECK(reader_.skip(count).ok() == fits, "skip(%zu) with %zu bytes left is wrong", count,
             left());
  position_ += fits ? count : 0;
}

/// All that is asked for, or nothing.
void ReaderProgram::copy() {
  constexpr uint8_t kBefore = 0xC7;
  uint8_t out[12];
  std::fill(std::begin(out), std::end(out), kBefore);
  const size_t count = static_cast<size_t>(data_.below(sizeof out));
  const bool fits = count <= left();
  KILN_CHECK(reader_.copy(clay::MutableBytes(out, count)).ok() == fits,
             "copying %zu bytes with %zu left is wrong", count, left());
  for (size_t i = 0; i < sizeof out; ++i) {
    KILN_CHECK(out[i] == (fits && i < count ? bytes_[position_ + i] : kBefore),
               "byte %zu of %zu that are copied out is wrong", i, count);
  }
  if (fits && count != 0) kCopied.hit();
  position_ += fits ? count : 0;
}

/// Goes on in a window of its own, now and then.
void ReaderProgram::sub() {
  const size_t count = draw_length(data_, kHugeLength);
  const bool fits = count <= left();
  const clay::Result<clay::ByteReader> got = reader_.sub(count);
  KILN_CHECK(got.ok() == fits, "a window of %zu of %zu bytes is %s", count, left(),
             got.ok() ? "given" : "refused");
  if (!fits) {
    return;
  }
  const clay::Bytes inner = bytes_.subspan(position_, count);
  KILN_CHECK(got.value().size() == count && got.value().window().data() == inner.data(),
             "a window within a window lies elsewhere");
  position_ += count;
  if (data_.boolean()) {
    bytes_ = inner;
    reader_ = got.value();
    position_ = 0;
    kSub.hit();
  }
}

void ReaderProgram::sub_at() {
  const size_t place = draw_place();
  const size_t count = draw_length(data_, kHugeLength);
  const bool fits = place <= bytes_.size() && count <= bytes_.size() - place;
  const clay::Result<clay::ByteReader> got = reader_.sub_at(place, count);
  KILN_CHECK(got.ok() == fits, "a window of %zu bytes at %zu of %zu is %s", count, place,
             bytes_.size(), got.ok() ? "given" : "refused");
  KILN_CHECK(!fits || (got.value().window().data() == bytes_.data() + place &&
                       got.value().size() == count && got.value().position() == 0),
             "a window of %zu bytes at %zu lies elsewhere", count, place);
}

void ReaderProgram::text() {
  const uint8_t* const begin = bytes_.data() + position_;
  const uint8_t* const nul = std::find(begin, begin + left(), 0);
  const bool whole = nul != begin + left();
  const clay::Result<clay::StringView> got = reader_.c_string();
  KILN_CHECK(got.ok() == whole, "a text %s a NUL is %s", whole ? "with" : "without",
             got.ok() ? "read" : "refused");
  (whole ? kText : kNoNul).hit();
  if (whole) {
    const size_t length = static_cast<size_t>(nul - begin);
    KILN_CHECK(got.value().size() == length, "a text of %zu bytes is read as %zu", length,
               got.value().size());
    position_ += length + 1;
  }
}

void ReaderProgram::seek() {
  const size_t place = draw_place();
  const bool fits = place <= bytes_.size();
  KILN_CHECK(reader_.seek(place).ok() == fits, "seek(%zu) of %zu is wrong", place, bytes_.size());
  position_ = fits ? place : position_;
}

void ReaderProgram::align() {
  const size_t align = size_t{1} << data_.below(5);
  const size_t up = (position_ + align - 1) / align * align;
  const bool fits = up <= bytes_.size();
  KILN_CHECK(reader_.align(align).ok() == fits, "align(%zu) at %zu of %zu is wrong", align,
             position_, bytes_.size());
  if (!fits) kPastEnd.hit();
  if (fits && up != position_) kAligned.hit();
  position_ = fits ? up : position_;
}

void ReaderProgram::step() {
  switch (data_.below(14)) {
  case 0:
  case 1:
  case 2:
    return next();
  case 3:
  case 4:
    return at_place();
  case 5:
    return run_of_bytes();
  case 6:
    return sub();
  case 7:
    return sub_at();
  case 8:
    return text();
  case 9:
  case 10:
    return seek();
  case 12:
    return skip();
  case 13:
    return copy();
  default:
    return align();
  }
}

void ReaderProgram::check() const {
  if (bytes_.empty()) kEmptyWindow.hit();
  KILN_CHECK(reader_.position() == position_ && reader_.remaining() == left(),
             "a reader stands at %zu, its model at %zu", reader_.position(), position_);
}

/// Whether the writer took the low `width` bytes of `value`.
bool write_number(clay::ByteWriter& writer, uint64_t value, size_t width, bool big) {
  const auto two = static_cast<uint16_t>(value & 0xFFFF);
  const auto four = static_cast<uint32_t>(value & 0xFFFF'FFFF);
  switch (width) {
  case 1:
    return writer.u8(static_cast<uint8_t>(value & 0xFF)).ok();
  case 2:
    return (big ? writer.be16(two) : writer.le16(two)).ok();
  case 4:
    return (big ? writer.be32(four) : writer.le32(four)).ok();
  default:
    return (big ? writer.be64(value) : writer.le64(value)).ok();
  }
}

void write_step(sim::Tape::View& data, clay::ByteWriter& writer, clay::MutableBytes buffer) {
  const size_t at = writer.position();
  const uint64_t value = data.u64();
  const bool big = data.boolean();
  const size_t width = size_t{1} << data.below(4);
  const bool done = write_number(writer, value, width, big);
  KILN_CHECK(done == (width <= buffer.size() - at), "a write of %zu bytes at %zu of %zu is %s",
             width, at, buffer.size(), done ? "done" : "refused");
  KILN_CHECK(writer.position() == (done ? at + width : at), "a writer at %zu goes to %zu", at,
             writer.position());
  if (!done) {
    kNoRoom.hit();
    return;
  }
  const uint64_t want = width == 8 ? value : value & ((uint64_t{1} << (8 * width)) - 1);
  KILN_CHECK(number_in(buffer.data() + at, width, big) == want,
             "a number of %zu bytes is written wrong", width);
}

/// Zeros up to the next multiple, or nothing.
void write_padding(sim::Tape::View& data, clay::ByteWriter& writer, clay::MutableBytes buffer) {
  const size_t at = writer.position();
  const size_t align = size_t{1} << data.below(5);
  const size_t up = (at + align - 1) / align * align;
  const bool done = writer.align(align).ok();
  KILN_CHECK(done == (up <= buffer.size()) && writer.position() == (done ? up : at),
             "align(%zu) at %zu of %zu leads a writer to %zu", align, at, buffer.size(),
             writer.position());
  for (size_t i = at; done && i < up; ++i) {
    KILN_CHECK(buffer[i] == 0, "padding is not zero");
  }
}

/// A run of bytes, or nothing.
void write_bytes(sim::Tape::View& data, clay::ByteWriter& writer, clay::MutableBytes buffer) {
  static constexpr uint8_t kFrom[] = {1, 2, 3, 5, 8, 13, 21, 34};
  const size_t at = writer.position();
  const size_t count = static_cast<size_t>(data.below(sizeof kFrom + 1));
  const bool done = writer.bytes(clay::Bytes(kFrom, count)).ok();
  KILN_CHECK(done == (count <= buffer.size() - at), "a write of %zu bytes at %zu of %zu is %s",
             count, at, buffer.size(), done ? "done" : "refused");
  KILN_CHECK(!done || std::equal(kFrom, kFrom + count, buffer.data() + at),
             "%zu bytes are written wrong", count);
  const clay::MutableBytes written = writer.written();
  KILN_CHECK(written.data() == buffer.data() && written.size() == (done ? at + count : at),
             "a writer at %zu says that it has written %zu bytes", at, written.size());
}

void write_all(sim::Run& run, clay::MutableBytes buffer) {
  auto data = run.tape.data();
  clay::ByteWriter writer(buffer);
  for (unsigned step = 0; step < 16 && !data.at_end(); ++step) {
    sim::Span span(run.tape, "write");
    write_step(data, writer, buffer);
    const uint64_t more = data.below(4);
    if (more == 3) {
      write_padding(data, writer, buffer);
    } else if (more == 2) {
      write_bytes(data, writer, buffer);
    }
  }
}

void run(sim::Run& run) {
  auto data = run.tape.data();
  sim::ExactBlock block(static_cast<size_t>(data.below(49)), 1);
  data.noise(block.bytes());
  if (data.boolean() && !block.bytes().empty()) {
    block.bytes()[static_cast<size_t>(data.below(block.bytes().size()))] = 0;
  }
  ReaderProgram program(run, block.bytes());
  const uint64_t steps = data.below(32);
  for (uint64_t step = 0; step < steps; ++step) {
    sim::Span span(run.tape, "read");
    program.step();
    program.check();
  }
  write_all(run, block.bytes());
}

const sim::Target target{{
    .name = kName,
    .purpose = "The bounded byte reader and writer against plain arithmetic.",
    .run = run,
    .gate_inputs = 100'000,
    .longest_tape = 512,
    .tags = "lib,pure",
}};

} // namespace
} // namespace kiln::targets
