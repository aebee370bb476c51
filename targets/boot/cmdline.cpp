// boot/cmdline: the kernel's command line.
//
// The line lies in a block of exactly its length, without a NUL. Every word, name, value and number
// is held against a second reader; values are copied into buffers that fit, that are one too short,
// and that hold nothing.

#include "kernel-src/boot/cmdline.h"

#include <algorithm>
#include <string>

#include "generators/command_line.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "worlds/firmware/command_line.h"

namespace kiln::targets {
namespace {

using clay::CommandLine;
using clay::CommandWord;
using clay::Error;
using clay::Result;
using clay::StringView;
using worlds::LineWord;
using worlds::ParsedLine;

constexpr const char* kName = "boot/cmdline";

const sim::Probe kQuoted{kName, "quotes keep a blank in a word"};
const sim::Probe kOpenQuote{kName, "a quote that is never closed"};
const sim::Probe kTwice{kName, "a name twice: the last one counts"};
const sim::Probe kDashes{kName, "- and _ are the same in a name"};
const sim::Probe kProgram{kName, "words for the first program"};
const sim::Probe kHidden{kName, "a name that stands only behind --"};
const sim::Probe kNoName{kName, "a value without a name"};
const sim::Probe kNumber{kName, "a number"};
const sim::Probe kNoNumber{kName, "a value that is no number"};
const sim::Probe kOverflow{kName, "a size above 64 bits"};
const sim::Probe kLongest{kName, "a number as long as a value may be"};
const sim::Probe kTooLong{kName, "a number longer than any can be"};
const sim::Probe kTrue{kName, "a switch that is on"};
const sim::Probe kFalse{kName, "a switch that is off"};
const sim::Probe kNeither{kName, "a switch that is neither"};
const sim::Probe kBare{kName, "a switch without a value"};
const sim::Probe kShort{kName, "a buffer one too short for a value"};
const sim::Probe kEmpty{kName, "an empty line"};

std::string_view text_of(StringView text) { return {text.data(), text.size()}; }

void check_value(const CommandWord& word, const LineWord& want) {
  const std::string value = want.value.value_or("");
  const size_t least = value.empty() ? 0 : value.size() - 1;
  for (const size_t room : {value.size() + 1, value.size(), least}) {
    const sim::ExactBlock block(room, 1);
    char* out = reinterpret_cast<char*>(const_cast<uint8_t*>(block.bytes().data()));
    const Result<size_t> copied = word.value(clay::Span<char>(out, room));
    KILN_CHECK(copied.ok() == (room >= value.size()) &&
                   (copied.ok() || copied.error() == Error::kNoSpace),
               "a value of %zu characters into %zu bytes", value.size(), room);
    const size_t size = std::min(room, value.size());
    KILN_CHECK(copied.value_or(size) == size && value.compare(0, size, out, size) == 0,
               "the value of '%s' is '%.*s'", want.raw.c_str(), static_cast<int>(size), out);
    if (!copied.ok()) kShort.hit();
  }
}

void check_words(const CommandLine& line, const ParsedLine& want) {
  size_t count = 0;
  line.for_each([&](CommandWord word) {
    KILN_CHECK(count < want.words.size(), "there are more words than %zu", want.words.size());
    const LineWord& expected = want.words[count++];
    KILN_CHECK(text_of(word.text()) == expected.raw, "a word is not '%s'", expected.raw.c_str());
    KILN_CHECK(word.has_value() == expected.value.has_value(), "'%s' has a value or none",
               expected.raw.c_str());
    check_value(word, expected);
    if (expected.raw.find(' ') != std::string::npos) kQuoted.hit();
    if (expected.name.empty()) kNoName.hit();
  });
  KILN_CHECK(count == want.words.size(), "there are %zu words, not %zu", count, want.words.size());
  KILN_CHECK(text_of(line.for_first_program()) == want.for_program,
             "the first program's words are '%.*s'",
             static_cast<int>(line.for_first_program().size()), line.for_first_program().data());
  if (!want.for_program.empty()) kProgram.hit();
  if (want.words.empty()) kEmpty.hit();
}

/// What the number or size should be; kInvalid for what is none.
template <typename Read> Result<uint64_t> wanted(const LineWord* word, Read read) {
  constexpr size_t kLongestValue = 32;
  if (word == nullptr) {
    return Error::kNotFound;
  }
  const std::string value = word->value.value_or("");
  if (value.size() > kLongestValue) {
    kTooLong.hit();
    return Error::kInvalid;
  }
  if (value.size() == kLongestValue) kLongest.hit();
  const std::optional<uint64_t> number = read(value);
  return number ? Result<uint64_t>(*number) : Error::kInvalid;
}

Result<bool> wanted_switch(const LineWord* word) {
  if (word == nullptr) {
    return Error::kNotFound;
  }
  if (!word->value) {
    kBare.hit();
    return true;
  }
  const std::string& value = *word->value;
  if (value == "on" || value == "yes" || value == "true" || value == "1") {
    kTrue.hit();
    return true;
  }
  if (value == "off" || value == "no" || value == "false" || value == "0") {
    kFalse.hit();
    return false;
  }
  kNeither.hit();
  return Error::kInvalid;
}

template <typename T>
void check_same(const Result<T>& got, const Result<T>& want, const char* what) {
  KILN_CHECK(got.ok() == want.ok() &&
                 (got.ok() ? got.value() == want.value() : got.error() == want.error()),
             "%s is %s; %s", what, got.ok() ? "taken" : clay::error_text(got.error()),
             want.ok() ? "should be another" : clay::error_text(want.error()));
}

/// The last of that name, with - for _; null: none.
const LineWord* last_of(const ParsedLine& line, std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  const LineWord* found = nullptr;
  for (const LineWord& word : line.words) {
    if (word.name == name) {
      if (found != nullptr) kTwice.hit();
      if (word.raw.find('_') != std::string::npos && found != nullptr) kDashes.hit();
      found = &word;
    }
  }
  return found;
}

void check_readers(const CommandLine& line, const LineWord* word, StringView name) {
  const Result<uint64_t> number = line.number(name);
  check_same(number, wanted(word, worlds::number_of), "a number");
  const Result<uint64_t> size = line.size(name);
  check_same(size, wanted(word, worlds::size_of), "a size");
  check_same(line.boolean(name), wanted_switch(word), "a switch");
  if (number.ok()) kNumber.hit();
  if (number.failed_with(Error::kInvalid)) kNoNumber.hit();
  if (word != nullptr && word->value == "16777216T") kOverflow.hit();
}

void check_name(const CommandLine& line, const ParsedLine& want, std::string_view name,
                const LineWord* word) {
  const Result<CommandWord> found = line.find({name.data(), name.size()});
  KILN_CHECK(found.ok() == (word != nullptr), "'%.*s' is %s", static_cast<int>(name.size()),
             name.data(), found.ok() ? "found" : "not found");
  KILN_CHECK(!found.ok() || text_of(found.value().text()) == word->raw,
             "it is not the last word of that name");
  if (!found.ok() && want.for_program.find(name) != std::string::npos) kHidden.hit();
}

void check(const CommandLine& line, const ParsedLine& want) {
  check_words(line, want);
  bool asked_in_vain = false; // once is enough: each reader looks the name up first
  for (const std::string_view name : gen::command_line_names()) {
    const LineWord* word = last_of(want, std::string(name));
    check_name(line, want, name, word);
    if (word != nullptr || !asked_in_vain) {
      check_readers(line, word, {name.data(), name.size()});
      KILN_CHECK(line.has({name.data(), name.size()}) == (word != nullptr),
                 "has() says something else than find()");
    }
    asked_in_vain |= word == nullptr;
  }
}

StringView view(const sim::ExactBlock& block) { return StringView(clay::Bytes(block.bytes())); }

void run(sim::Run& run) {
  const std::string text = gen::make_command_line(run.tape);
  const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  run.machine.artefact(bytes);
  const sim::ExactBlock block(bytes, 1);
  const ParsedLine want = worlds::parse_command_line(text);
  if (std::count(text.begin(), text.end(), '"') % 2 != 0) kOpenQuote.hit();
  check(CommandLine(view(block)), want);
  run.machine.digest(want.words.size());
  run.machine.digest(want.for_program.size());
}

void feed(sim::Feed& feed) {
  const sim::ExactBlock block(feed.bytes, 1);
  const CommandLine line(view(block));
  check(line, worlds::parse_command_line(text_of(view(block))));
  line.for_each([&](CommandWord word) { feed.out += std::string(text_of(word.text())) + "\n"; });
  if (const StringView rest = line.for_first_program(); !rest.empty()) {
    feed.out += "for the first program: " + std::string(text_of(rest)) + "\n";
  }
}

const sim::Target target{{
    .name = kName,
    .purpose = "Kernel command lines against a second reader, word by word.",
    .run = run,
    .feed = feed,
    .feed_takes = "a command line as text",
    .gate_inputs = 60'000,
    .longest_tape = 512,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
