#include "generators/multiboot.h"

#include <string>
#include <string_view>

#include "generators/byte_builder.h"
#include "generators/command_line.h"
#include "generators/memory_map.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr size_t kHeader = 8;

class Maker {
 public:
  explicit Maker(sim::Tape& tape) : tape_(tape), data_(tape.data()), fault_(tape.fault()) {}

  std::vector<uint8_t> make() {
    out_.le32(0).le32(0);
    for (uint64_t tags = data_.below(10); tags != 0; --tags) {
      sim::Span span(tape_, "tag");
      tag();
    }
    if (!fault_.chance(1, 24)) {
      finish(out_.size(), 0, {});
    }
    out_.set_le32(0, total());
    out_.fill(0xEE, fault_.chance(1, 4) ? fault_.below(40) : 0);
    return out_.take();
  }

 private:
  void tag() {
    if (fault_.chance(1, 24)) { // too short for what it should hold, or barely long enough
      return raw(fault_.pick({3u, 6u, 17u, 8u, 11u, 12u, 14u, 15u}),
                 static_cast<size_t>(fault_.below(24)));
    }
    switch (data_.weighted({4, 2, 4, 4, 2, 2, 2, 2, 2, 2, 1, 2})) {
    case 0:
      return text(1, make_command_line(tape_));
    case 1:
      return text(2, data_.boolean() ? "GRUB 2.06" : std::string(data_.between(62, 66), 'g'));
    case 2:
      return modules();
    case 3:
      return memory_map(6);
    case 4:
      return memory_map(17);
    case 5:
      return framebuffer();
    case 6:
      return raw(14, 20);
    case 7:
      return raw(15, 36);
    case 8:
      return raw(11, 4);
    case 9:
      return raw(12, 8);
    case 10:
      return raw(18, 0);
    default:
      return raw(data_.pick({4u, 5u, 7u, 9u, 10u, 13u, 16u, 19u, 20u, 21u, 22u, 77u}),
                 static_cast<size_t>(data_.below(40)));
    }
  }

  void text(uint32_t type, const std::string& words) {
    ByteBuilder body;
    body.text(words);
    if (type == 1 && data_.chance(1, 8)) { // around the kernel's limit
      body.text(
          std::string(1020 - std::min<size_t>(words.size(), 1000), data_.boolean() ? 'w' : ' '));
      body.text(" tail words");
    }
    body.fill(0, fault_.chance(1, 24) ? 0 : 1);
    finish(out_.size(), type, body.take());
  }

  void modules() {
    for (uint64_t count = data_.chance(1, 12) ? data_.between(15, 18) : 1; count != 0; --count) {
      const uint32_t start = static_cast<uint32_t>(data_.below(0x10000)) << 12;
      const uint32_t size = data_.pick({0x1000u, 1u, 0u, 0xFFFFFFFFu, 0x123456u});
      ByteBuilder body;
      body.le32(start).le32(start + size);
      body.text(data_.pick({"initrd", "", "/boot/modules/driver.ko root=1"}));
      body.fill(0, fault_.chance(1, 24) ? 0 : 1);
      finish(out_.size(), 3, body.take());
    }
  }

  void memory_map(uint32_t type) {
    FirmwareMap map = make_memory_map(tape_);
    map.format = type == 17 ? MapFormat::kUefi : MapFormat::kMultiboot;
    map.stride = type == 17 ? 40 + 8 * (map.stride % 3) : 24;
    map.stride -= fault_.chance(1, 24) ? fault_.below(8) : 0;
    ByteBuilder body;
    body.le32(fault_.chance(1, 24) ? static_cast<uint32_t>(fault_.below(48))
                                   : static_cast<uint32_t>(map.stride));
    body.le32(0);
    if (map.stride >= (type == 17 ? 40u : 20u)) {
      body.raw(encode(map));
    }
    finish(out_.size(), type, body.take());
  }

  void framebuffer() {
    ByteBuilder body;
    body.le64(0xFD000000).le32(4096).le32(1024).le32(768).u8(32).u8(1);
    finish(out_.size(), 8, body.take());
  }

  void raw(uint32_t type, size_t size) {
    std::vector<uint8_t> bytes(size);
    data_.noise(bytes);
    finish(out_.size(), type, std::move(bytes));
  }

  /// Puts the tag with its size, which is a lie now and then, and what aligns the next one.
  void finish(size_t at, uint32_t type, std::vector<uint8_t> body) {
    if (fault_.chance(1, 40) && !body.empty()) {
      body.pop_back();
    }
    uint32_t size = static_cast<uint32_t>(body.size() + kHeader);
    if (fault_.chance(1, 40)) {
      size = fault_.pick(
          {size + 1, size - 1, size + 8, size - 8, 0u, 7u, 8u, 0xFFFFFFFFu, 0xFFFFFFF8u});
    }
    out_.le32(type).le32(size).raw(body);
    const size_t unaligned = (out_.size() - at) % 8;
    if (type != 0 && unaligned != 0 && !fault_.chance(1, 80)) {
      out_.fill(0, 8 - unaligned);
    }
  }

  uint32_t total() {
    const auto size = static_cast<uint32_t>(out_.size());
    return fault_.chance(1, 24)
               ? fault_.pick({size + 1, size - 1, size - 8, 0u, 7u, 8u, 9u, 0xFFFFFFFFu})
               : size;
  }

  sim::Tape& tape_;
  View data_;
  View fault_;
  ByteBuilder out_;
};

} // namespace

std::vector<uint8_t> make_multiboot(sim::Tape& tape) {
  std::vector<uint8_t> bytes = Maker(tape).make();
  if (tape.fault().chance(1, 32)) { // cut short
    bytes.resize(static_cast<size_t>(tape.fault().below(bytes.size())));
  }
  return bytes;
}

} // namespace kiln::gen
