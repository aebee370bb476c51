#include "gates/finding/identity.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/engine.h"
#include "sim/prng.h"

namespace kiln::gates {
namespace {

using sim::Rule;

/// Never a place, whatever the kernel: who runs it. The kernel names the folders of its own.
constexpr const char* kMachine = "sim/ gates/";

/// `folders`: separated by spaces.
bool is_in(std::string_view file, std::string_view folders) {
  while (!folders.empty()) {
    size_t end = std::min(folders.find(' '), folders.size());
    if (end > 0 && file.starts_with(folders.substr(0, end))) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

/// Rules that a fault inside the kernel's own locks breaks as well as one elsewhere.
bool may_break_anywhere(Rule rule) {
  switch (rule) {
  case Rule::kPanic:
  case Rule::kUndefined:
  case Rule::kAddress:
  case Rule::kCrash:
  case Rule::kStackOverflow:
  case Rule::kMemoryOverrun:
  case Rule::kBadFree:
  case Rule::kOracle:
    return true;
  default:
    return false;
  }
}

bool is_about_classes(Rule rule) {
  return rule == Rule::kLockOrder || rule == Rule::kLockIrq || rule == Rule::kLockIrqOrder;
}

bool is_left_over(Rule rule) {
  return rule == Rule::kLeakMemory || rule == Rule::kLeakTask || rule == Rule::kLeakTimer ||
         rule == Rule::kLeakReference || rule == Rule::kLeakMapping || rule == Rule::kLeakPage;
}

/// The 'quoted' names in a sentence, each once, sorted.
std::vector<std::string> quoted_names(std::string_view sentence) {
  std::vector<std::string> names;
  for (size_t open = sentence.find('\''); open != std::string_view::npos;) {
    size_t close = sentence.find('\'', open + 1);
    if (close == std::string_view::npos) break;
    std::string name(sentence.substr(open + 1, close - open - 1));
    std::replace(name.begin(), name.end(), ' ', '_');
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    open = sentence.find('\'', close + 1);
  }
  std::sort(names.begin(), names.end());
  return names;
}

uint64_t mixed(uint64_t hash, std::string_view text) {
  return sim::mix64(hash ^ sim::hash_name(text));
}

/// A sentence without its numbers: they differ from input to input.
std::string without_numbers(std::string_view sentence) {
  std::string out;
  for (char c : sentence) {
    if (c < '0' || c > '9') out += c;
  }
  return out;
}

size_t place_index(std::span<const Frame> frames, Rule rule) {
  for (size_t i = 0; i < frames.size(); ++i) {
    if (!is_plumbing(frames[i].file, rule)) return i;
  }
  return 0;
}

/// Same function called again by itself counts once, however deep.
uint64_t hash_frames(uint64_t hash, std::span<const Frame> frames, Rule rule) {
  std::string last;
  unsigned taken = 0;
  for (const Frame& frame : frames) {
    std::string name = frame.file + '|' + frame.function;
    if (is_plumbing(frame.file, rule) || name == last) continue;
    hash = mixed(hash, name);
    last = name;
    if (++taken == kHashFrames) break;
  }
  return hash;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, "+"));
}

} // namespace

bool is_plumbing(std::string_view file, Rule rule) {
  const sim::Kernel& kernel = sim::kernel();
  bool outside = file.empty() || file.front() == '/';
  if (outside || is_in(file, kMachine) || is_in(file, kernel.harness)) return true;
  return !may_break_anywhere(rule) && is_in(file, kernel.waiting);
}

const sim::Stack& identity_stack(const sim::Finding& finding) {
  bool made_elsewhere = finding.has_other != 0 && finding.other.count > 0;
  return is_left_over(finding.rule) && made_elsewhere ? finding.other : finding.stack;
}

Identity identify(const sim::Finding& finding, std::span<const Frame> frames) {
  Identity identity;
  identity.rule = finding.rule;
  identity.where = "unknown";
  uint64_t hash = sim::hash_name(sim::rule_name(finding.rule));
  size_t index = place_index(frames, finding.rule);
  if (!frames.empty()) identity.place = frames[index];
  std::vector<std::string> classes;
  if (is_about_classes(finding.rule)) classes = quoted_names(finding.headline);

  if (!classes.empty()) {
    identity.where = joined(classes);
    identity.stack_hash = mixed(hash, identity.where);
    return identity;
  }
  std::string where = file_and_line(identity.place);
  if (!where.empty()) identity.where = where;
  uint64_t hashed = frames.empty() ? hash : hash_frames(hash, frames.subspan(index), finding.rule);
  // Nothing but plumbing, or nothing at all: there is only the sentence.
  identity.stack_hash = hashed != hash ? hashed : mixed(hash, without_numbers(finding.headline));
  return identity;
}

Identity identify(const sim::Finding& finding, Symbolizer& symbolizer) {
  return identify(finding, symbolizer.frames(identity_stack(finding)));
}

std::string Identity::short_hash() const { return fmt::format("{:08x}", stack_hash >> 32); }

std::string Identity::text() const {
  return fmt::format("{}@{}#{}", sim::rule_name(rule), where, short_hash());
}

std::string Identity::text_without_line() const {
  std::string path = where == file_and_line(place) ? place.file : where;
  return fmt::format("{}@{}#{}", sim::rule_name(rule), path, short_hash());
}

std::string file_stem(std::string_view target, const Identity& identity) {
  std::string stem(target);
  std::replace(stem.begin(), stem.end(), '/', '-');
  stem += '-' + identity.short_hash();
  bool has_line = identity.place.line != 0 && identity.where == file_and_line(identity.place);
  return has_line ? fmt::format("{}-{}", stem, identity.place.line) : stem;
}

} // namespace kiln::gates
