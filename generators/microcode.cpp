#include "generators/microcode.h"

#include "generators/byte_builder.h"
#include "generators/endian.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr size_t kHeader = 48;
constexpr uint32_t kSignatures[] = {0x000906EA, 0x000906EB, 0x000306C3, 0x00050654};

uint32_t load(const std::vector<uint8_t>& bytes, size_t at) {
  return load_le<uint32_t>(bytes.data() + at);
}
void store(std::vector<uint8_t>& bytes, size_t at, uint32_t value) {
  store_le<uint32_t>(bytes.data() + at, value);
}

/// What the words of [from, to) lack to a sum of 0.
uint32_t lacking(const std::vector<uint8_t>& bytes, size_t from, size_t to) {
  uint32_t sum = 0;
  for (size_t at = from; at + 4 <= to; at += 4) {
    sum += load(bytes, at);
  }
  return 0 - sum;
}

class Maker {
 public:
  explicit Maker(sim::Tape& tape) : tape_(tape), data_(tape.data()), fault_(tape.fault()) {}

  std::vector<uint8_t> update();

 private:
  void table(std::vector<uint8_t>& bytes, size_t at, uint32_t count);
  void lie(std::vector<uint8_t>& bytes);
  void lie_about_table(std::vector<uint8_t>& bytes, size_t at);

  sim::Tape& tape_;
  View data_;
  View fault_;
};

std::vector<uint8_t> Maker::update() {
  sim::Span span(tape_, "update");
  const bool old = data_.chance(1, 6); // sizes of 0 stand for 2000 and 2048
  const uint32_t entries =
      old || !data_.chance(1, 2) ? 0 : static_cast<uint32_t>(data_.between(1, 4));
  const size_t table_bytes = entries == 0 ? 0 : 20 + 12 * size_t{entries};
  // The data fills what the table leaves of whole kilobytes.
  const size_t total = old ? 2048 : 1024 * static_cast<size_t>(data_.between(1, 3));
  const size_t data = total - kHeader - table_bytes;
  ByteBuilder header;
  header.le32(1).le32(data_.boolean() ? static_cast<uint32_t>(data_.below(6)) : data_.edge32());
  header.le32(data_.chance(1, 4) ? data_.u32() : 0x06142026)
      .le32(make_microcode_signature(tape_))
      .le32(0)
      .le32(1);
  header.le32(data_.boolean() ? data_.u8() : 0xFF);
  header.le32(old ? 0 : static_cast<uint32_t>(data));
  header.le32(old && data_.boolean() ? 0 : static_cast<uint32_t>(total));
  header.fill(0, kHeader - header.size());
  std::vector<uint8_t> bytes = header.take();
  bytes.resize(total);
  data_.noise(std::span(bytes).subspan(kHeader, data));
  store(bytes, 16, lacking(bytes, 0, kHeader + data));
  if (entries != 0) {
    table(bytes, kHeader + data, entries);
  }
  if (entries != 0 && fault_.chance(1, 8)) {
    lie_about_table(bytes, kHeader + data);
  } else if (fault_.chance(1, 5)) {
    lie(bytes);
  }
  return bytes;
}

void Maker::table(std::vector<uint8_t>& bytes, size_t at, uint32_t count) {
  store(bytes, at, count);
  const uint32_t own = load(bytes, 12) + load(bytes, 24) + load(bytes, 16);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t signature = make_microcode_signature(tape_);
    const uint32_t flags = data_.u8();
    store(bytes, at + 20 + 12 * i, signature);
    store(bytes, at + 24 + 12 * i, flags);
    store(bytes, at + 28 + 12 * i, own - signature - flags);
  }
  store(bytes, at + 4, lacking(bytes, at, bytes.size()));
}

/// In one word of the table's head, or of an entry under a right sum of the table; or a number of
/// entries whose size is the right one in 32 bits only (12 << 30 wraps), under a right sum.
void Maker::lie_about_table(std::vector<uint8_t>& bytes, size_t at) {
  if (fault_.chance(1, 8)) {
    const uint32_t more = fault_.pick({1u, 2u, 3u}) << 30;
    store(bytes, at, load(bytes, at) + more);
    return store(bytes, at + 4, load(bytes, at + 4) - more);
  }
  if (fault_.boolean()) {
    const size_t word = at + 4 + 4 * static_cast<size_t>(fault_.below(4)); // its sum, and reserved
    return store(bytes, word, load(bytes, word) + fault_.pick({1u, 0x80000000u}));
  }
  const size_t word = at + 20 + 4 * static_cast<size_t>(fault_.below((bytes.size() - at - 20) / 4));
  store(bytes, word, load(bytes, word) + 1);
  store(bytes, at + 4, load(bytes, at + 4) - 1);
}

/// The beginning of an update, which ends with its header or a byte beside that.
std::vector<uint8_t> make_stub(sim::Tape::View& fault) {
  ByteBuilder stub;
  stub.le32(1).fill(0, 24).le32(fault.pick({4u, 0u, 976u}));
  stub.le32(fault.pick({0u, 48u, 1024u})).fill(0, 12);
  std::vector<uint8_t> bytes = stub.take();
  bytes.resize(fault.pick({size_t{48}, size_t{47}, size_t{49}}));
  return bytes;
}

void Maker::lie(std::vector<uint8_t>& bytes) {
  static constexpr size_t kFields[] = {0, 4, 12, 16, 20, 24, 28, 32};
  const size_t field = fault_.below(3) == 0
                           ? static_cast<size_t>(fault_.below(bytes.size() / 4)) * 4
                           : fault_.pick(kFields);
  const uint32_t was = load(bytes, field);
  const uint32_t now = fault_.pick({was + 1, was - 1, was + 4, was - 4, was + 1024, was - 1024, 0u,
                                    0xFFFFFFFFu, 0xFFFFFC00u, was ^ 0x80000000u, 1u, 48u});
  store(bytes, field, now);
  if (fault_.boolean() && field != 16) { // as if it had been meant
    store(bytes, 16, load(bytes, 16) + was - now);
  }
  // The table is found by its place: at the end, where the last entries are.
  if (fault_.chance(1, 4) && bytes.size() >= 64) {
    const size_t at = bytes.size() - 4 * static_cast<size_t>(fault_.between(1, 16));
    store(bytes, at, load(bytes, at) ^ (fault_.boolean() ? 1 : fault_.u32()));
  }
}

} // namespace

uint32_t make_microcode_signature(sim::Tape& tape) { return tape.data().pick(kSignatures); }

std::vector<uint8_t> make_microcode(sim::Tape& tape) {
  std::vector<uint8_t> file;
  for (uint64_t updates = tape.data().below(5); updates != 0; --updates) {
    const std::vector<uint8_t> update = Maker(tape).update();
    file.insert(file.end(), update.begin(), update.end());
  }
  if (tape.fault().chance(1, 24)) {
    sim::Tape::View fault = tape.fault();
    const std::vector<uint8_t> stub = make_stub(fault);
    file.insert(file.end(), stub.begin(), stub.end());
  } else if (tape.fault().chance(1, 12)) { // cut, or with something behind it
    file.resize(static_cast<size_t>(tape.fault().below(file.size() + 100)));
  }
  return file;
}

} // namespace kiln::gen
