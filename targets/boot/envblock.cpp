// boot/envblock: the environment block that boot loader and system share.
//
// The block lies in memory of exactly its size. After every operation all of its bytes are held
// against a model that keeps lines, also after one that was refused; so are the variables and the
// room that is left.

#include <algorithm>
#include <string>

#include "generators/env_block.h"
#include "kernel-src/boot/env_block.h"
#include "sim/exact_block.h"
#include "sim/machine.h"
#include "sim/probe.h"
#include "sim/target.h"
#include "targets/boot/texts.h"
#include "worlds/firmware/env_model.h"

namespace kiln::targets {
namespace {

using clay::EnvBlock;
using clay::Error;
using clay::Result;
using clay::StringView;
using worlds::EnvModel;

constexpr const char* kName = "boot/envblock";

const sim::Probe kNoBlock{kName, "bytes that are no block"};
const sim::Probe kOpenLine{kName, "a block whose last line is not closed"};
const sim::Probe kTooSmall{kName, "memory too small for any block"};
const sim::Probe kFull{kName, "a block without a byte to spare"};
const sim::Probe kJustFits{kName, "a variable that just fits"};
const sim::Probe kNoRoom{kName, "a variable that does not fit"};
const sim::Probe kReplaced{kName, "a variable replaced in its place"};
const sim::Probe kShrunk{kName, "a variable replaced by a shorter one in a full block"};
const sim::Probe kDouble{kName, "a name that two lines set"};
const sim::Probe kComment{kName, "a comment beside variables"};
const sim::Probe kEscaped{kName, "a value with a newline or backslash"};
const sim::Probe kBadName{kName, "a name that no line can have"};
const sim::Probe kUnset{kName, "a variable is removed"};
const sim::Probe kMissing{kName, "a variable that is not there is removed"};
const sim::Probe kCut{kName, "a value longer than the reader's buffer"};

void check_block(const sim::ExactBlock& block, const EnvBlock& env, const EnvModel& model,
                 const char* after) {
  KILN_CHECK(model.is(block.bytes()), "after %s the block is not what it should be", after);
  KILN_CHECK(env.room() == model.room(), "after %s there is room for %zu bytes, not %zu", after,
             env.room(), model.room());
  if (model.room() == 0) kFull.hit();
}

void check_variables(const EnvBlock& env, const EnvModel& model) {
  size_t at = 0;
  env.for_each([&](const EnvBlock::Variable& variable) {
    while (at < model.lines().size() && model.lines()[at].name.empty()) {
      ++at;
      kComment.hit();
    }
    KILN_CHECK(at < model.lines().size(), "there are more variables than lines");
    const std::string& name = model.lines()[at++].name;
    KILN_CHECK(view(name) == variable.name, "a variable is not called '%s'", name.c_str());
  });
  while (at < model.lines().size() && model.lines()[at].name.empty()) {
    ++at;
  }
  KILN_CHECK(at == model.lines().size(), "a variable is missing");
}

size_t lines_named(const EnvModel& model, const std::string& name) {
  size_t count = 0;
  for (const EnvModel::Line& line : model.lines()) {
    count += line.name == name ? 1 : 0;
  }
  return count;
}

void check_get(const EnvBlock& env, const EnvModel& model, const std::string& name, size_t room) {
  const std::optional<std::string> want = model.get(name);
  const sim::ExactBlock out(room, 1);
  char* text = reinterpret_cast<char*>(const_cast<uint8_t*>(out.bytes().data()));
  const Result<size_t> got = env.get(view(name), clay::Span<char>(text, room));
  if (!want) {
    KILN_CHECK(got.failed_with(Error::kNotFound), "a variable that is not there is read");
    return;
  }
  const bool fits = want->size() <= room;
  if (!fits) kCut.hit();
  KILN_CHECK(fits ? got.ok() && got.value() == want->size() : got.failed_with(Error::kNoSpace),
             "a value of %zu characters into %zu bytes", want->size(), room);
  KILN_CHECK(want->compare(0, room, text, std::min(room, want->size())) == 0,
             "the value of '%s' is another", name.c_str());
}

/// Whether the block is another now.
bool do_set(EnvBlock& env, EnvModel& model, const std::string& name, const std::string& value) {
  const size_t before = lines_named(model, name);
  const size_t room = model.room();
  const Result<void> set = env.set(view(name), view(value));
  const bool can = EnvModel::can_name(name);
  KILN_CHECK(EnvBlock::is_name(view(name)) == can, "'%s' is said to be %s", name.c_str(),
             can ? "no name" : "a name");
  if (!can) {
    kBadName.hit();
    KILN_CHECK(set.failed_with(Error::kInvalid), "a variable called '%s' is set", name.c_str());
    return false;
  }
  const bool fits = model.set(name, value);
  KILN_CHECK(fits ? set.ok() : set.failed_with(Error::kNoSpace),
             "a variable is %s, with %zu bytes free", set.ok() ? "set" : "refused", room);
  if (!fits) kNoRoom.hit();
  if (!fits) return false;
  if (before == 1) kReplaced.hit();
  if (before == 1 && room == 0 && model.room() != 0) kShrunk.hit();
  if (before > 1) kDouble.hit();
  if (room != 0 && model.room() == 0) kJustFits.hit();
  if (value.find_first_of("\\\n") != std::string::npos) kEscaped.hit();
  return true;
}

/// Whether the block is another now.
bool do_unset(EnvBlock& env, EnvModel& model, const std::string& name) {
  const bool there = model.unset(name);
  const Result<void> unset = env.unset(view(name));
  KILN_CHECK(there ? unset.ok() : unset.failed_with(Error::kNotFound), "'%s' is %s", name.c_str(),
             unset.ok() ? "removed" : "not removed");
  (there ? kUnset : kMissing).hit();
  return there;
}

/// A value that leaves no byte, or one too few: what fills the block to its edge.
std::string filling(sim::Tape& tape, const EnvModel& model, const std::string& name) {
  const size_t around = name.size() + 2;
  const size_t room = model.room() + static_cast<size_t>(tape.data().below(2));
  return std::string(room > around ? room - around : 0, 'f');
}

/// Whether the block is another now.
bool step(sim::Tape& tape, EnvBlock& env, EnvModel& model) {
  sim::Span span(tape, "step");
  const std::string name = gen::make_env_name(tape);
  switch (tape.data().below(5)) {
  case 0:
    check_get(env, model, name, static_cast<size_t>(tape.data().below(32)));
    return false;
  case 1:
    return do_unset(env, model, name);
  case 2:
    return do_set(env, model, name, filling(tape, model, name));
  default:
    return do_set(env, model, name, gen::make_env_value(tape));
  }
}

void work(sim::Run& run, sim::ExactBlock& block, EnvBlock env, EnvModel model) {
  check_block(block, env, model, "opening it");
  check_variables(env, model);
  for (uint64_t steps = run.tape.data().below(24); steps != 0; --steps) {
    const bool changed = step(run.tape, env, model);
    check_block(block, env, model, changed ? "a change" : "a step that changes nothing");
    if (changed) check_variables(env, model);
  }
  // What was written is read back by both.
  const Result<EnvBlock> again = EnvBlock::open(block.bytes());
  KILN_CHECK(again.ok() && EnvModel::read(block.bytes()).has_value(),
             "the block cannot be read back");
  check_block(block, again.value(), model, "opening it again");
  check_variables(again.value(), model);
  run.machine.digest(model.room());
}

/// Makes a new block out of the memory; false when it is too small for one.
bool reformat(sim::ExactBlock& block) {
  const bool fits = block.bytes().size() >= EnvBlock::kSignature.size();
  KILN_CHECK(EnvBlock::format(block.bytes()).ok() == fits, "%zu bytes become a block or do not",
             block.bytes().size());
  if (!fits) kTooSmall.hit();
  return fits;
}

void run(sim::Run& run) {
  const std::vector<uint8_t> bytes = gen::make_env_block(run.tape);
  run.machine.artefact(bytes);
  sim::ExactBlock block(bytes, 1);
  std::optional<EnvModel> model = EnvModel::read(bytes);
  const Result<EnvBlock> env = EnvBlock::open(block.bytes());
  KILN_CHECK(env.ok() == model.has_value() && (env.ok() || env.error() == Error::kCorrupt),
             "the block is %s", env.ok() ? "taken" : "refused");
  KILN_CHECK(std::ranges::equal(block.bytes(), bytes), "opening the block changes it");
  if (env.ok()) {
    return work(run, block, env.value(), *model);
  }
  const bool has_signature =
      StringView(clay::Bytes(block.bytes())).starts_with(EnvBlock::kSignature);
  (has_signature ? kOpenLine : kNoBlock).hit();
  if (reformat(block)) {
    work(run, block, EnvBlock::open(block.bytes()).value(), *EnvModel::read(block.bytes()));
  }
}

void feed(sim::Feed& feed) {
  sim::ExactBlock block(feed.bytes, 1);
  const std::optional<EnvModel> model = EnvModel::read(feed.bytes);
  const Result<EnvBlock> env = EnvBlock::open(block.bytes());
  KILN_CHECK(env.ok() == model.has_value(), "the block is %s", env.ok() ? "taken" : "refused");
  if (!env.ok()) {
    feed.out += std::string("refused: ") + clay::error_text(env.error()) + "\n";
    return;
  }
  check_block(block, env.value(), *model, "opening it");
  check_variables(env.value(), *model);
  for (const EnvModel::Line& line : model->lines()) {
    if (!line.name.empty()) {
      check_get(env.value(), *model, line.name, feed.bytes.size());
      feed.out += line.name + "=" + *model->get(line.name) + "\n";
    }
  }
  feed.out += std::to_string(env.value().room()) + " bytes are free\n";
}

const sim::Target target{{
    .name = kName,
    .purpose = "A boot loader's environment block against a model of its lines.",
    .run = run,
    .feed = feed,
    .feed_takes = "an environment block, as grub-editenv makes it",
    .gate_inputs = 30'000,
    .longest_tape = 2048,
    .tags = "boot,parser",
}};

} // namespace
} // namespace kiln::targets
