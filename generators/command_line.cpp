#include "generators/command_line.h"

namespace kiln::gen {
namespace {

using View = sim::Tape::View;

constexpr std::string_view kNames[] = {"root",     "console", "quiet",     "mem",
                                       "loglevel", "nosmp",   "log-level", "log_level",
                                       "ro",       "init",    "a",         "--x"};
constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "7",
                                         "0x1F",
                                         "0b101",
                                         "017",
                                         "08",
                                         "0x",
                                         "-1",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "99999999999999999999999999999999",
                                         "0x00000000000000000000000000002F",
                                         "0x000000000000000000000000000002F",
                                         "0x0000000000000000000000000000000001"};
constexpr std::string_view kSizes[] = {"64K",       "16M", "2g", "1T",    "16777215T",
                                       "16777216T", "12Q", "K",  "0x10M", "4GG"};
constexpr std::string_view kSwitches[] = {"on",    "off", "yes", "no", "true",
                                          "false", "1",   "0",   "ON", "maybe"};
constexpr std::string_view kTexts[] = {
    "/dev/vda1", "ttyS0,115200n8", "UUID=3f1c-22", "a b", " ", "=", "x=y", "\x7F\x80"};
constexpr std::string_view kBlanks[] = {" ", "  ", "\t", "\n", " \r\n ", std::string_view("\0", 1)};

class Maker {
 public:
  explicit Maker(sim::Tape& tape) : tape_(tape), data_(tape.data()) {}

  std::string make() {
    for (uint64_t words = data_.below(12); words != 0; --words) {
      sim::Span span(tape_, "word");
      word();
      line_ += data_.pick(kBlanks);
    }
    if (data_.chance(1, 8)) {
      line_ += data_.boolean() ? "\"open quote" : "last=";
    }
    return std::move(line_);
  }

 private:
  void word() {
    switch (data_.weighted({24, 2, 2, 1, 1})) {
    case 0:
      line_ += data_.pick(kNames);
      value();
      break;
    case 1:
      line_ += "--";
      break;
    case 2:
      line_ += data_.pick({"\"\"", "=", "\"root=x\"", "-", "---", "\"--\"", "roo", "roots=1",
                           "log.level=3", "log=level"});
      break;
    case 3:
      line_ += "long=" + std::string(data_.between(30, 35), '9');
      break;
    default:
      raw();
      break;
    }
  }

  void value() {
    if (data_.below(4) == 1) {
      return; // a switch
    }
    line_ += '=';
    switch (data_.below(4)) {
    case 0:
      return quoted(data_.pick(kTexts));
    case 1:
      return quoted(data_.pick(kNumbers));
    case 2:
      return quoted(data_.pick(kSizes));
    default:
      return quoted(data_.pick(kSwitches));
    }
  }

  /// As it is, in quotes, or with quotes in odd places.
  void quoted(std::string_view text) {
    switch (data_.weighted({12, 3, 1})) {
    case 0:
      line_ += text;
      break;
    case 1:
      line_ += '"';
      line_ += text;
      line_ += '"';
      break;
    default: {
      const size_t at = data_.below(text.size() + 1);
      line_ += text.substr(0, at);
      line_ += "\"\"";
      line_ += text.substr(at);
      break;
    }
    }
  }

  void raw() {
    uint8_t bytes[6];
    data_.bytes(bytes);
    for (const uint8_t byte : bytes) {
      line_ += static_cast<char>(byte);
    }
  }

  sim::Tape& tape_;
  View data_;
  std::string line_;
};

} // namespace

std::span<const std::string_view> command_line_names() { return kNames; }

std::string make_command_line(sim::Tape& tape) { return Maker(tape).make(); }

} // namespace kiln::gen
