#include "gates/mutation/code_comparison.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "gates/support/atomic_file.h"
#include "gates/support/interrupt.h"
#include "gates/support/subprocess.h"

namespace kiln::gates {
namespace {

namespace fs = std::filesystem;

using Kind = CodeChange::Kind;

/// From here on it is the status of a program that a signal has ended.
constexpr int kBySignal = 128;

} // namespace

struct CodeComparison::Object {
  enum class Kind : uint8_t { kMade, kRefused, kUndone };
  Kind kind = Kind::kUndone;
  std::string bytes;
};

struct CodeComparison::Original {
  std::once_flag once;
  Object object;
};

/// One file of the checkout with another text, for the compiler's eyes.
class CodeComparison::Overlay {
 public:
  Overlay(const std::string& name, const std::string& file, const std::string& text)
      : text_(name + ".text"), list_(name + ".json") {
    std::ofstream content(text_, std::ios::binary);
    content << text;
    content.close();
    nlohmann::json entry{{"type", "file"}, {"name", file}, {"external-contents", text_}};
    nlohmann::json list{{"version", 0}, {"use-external-names", false}, {"roots", {entry}}};
    std::ofstream listed(list_);
    listed << list.dump();
    listed.close();
    whole_ = content.good() && listed.good();
  }
  ~Overlay() {
    std::error_code ignored;
    fs::remove(text_, ignored);
    fs::remove(list_, ignored);
  }
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  /// False: the disk is full, and who compiles with it sees something else.
  bool whole() const { return whole_; }
  const std::string& list() const { return list_; }

 private:
  std::string text_;
  std::string list_;
  bool whole_ = false;
};

CodeComparison::CodeComparison(PlainBuild build, const std::string& scratch)
    : build_(std::move(build)), scratch_(fs::absolute(scratch).lexically_normal().string()) {
  for (size_t i = 0; i < build_.units.size(); ++i)
    originals_.push_back(std::make_unique<Original>());
  std::error_code ignored; // is_ready() looks
  fs::remove_all(scratch_, ignored);
  fs::create_directories(scratch_, ignored);
}

CodeComparison::~CodeComparison() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

bool CodeComparison::is_ready(std::string* error) const {
  if (build_.units.empty()) {
    *error = "no unit of the build sees mutants: build the program again";
    return false;
  }
  const std::string& compiler = build_.units[0].words.at(0);
  if (!run_tool({compiler, "--version"}, "", true).started) {
    *error = fmt::format("the compiler '{}' is not there any more: install it again", compiler);
    return false;
  }
  return can_write_file(scratch_ + "/0", error);
}

CodeComparison::Object CodeComparison::compile(const PlainUnit& unit,
                                               const Overlay* overlay) const {
  std::vector<std::string> words = unit.words;
  if (overlay != nullptr && !overlay->whole()) return {};
  if (overlay != nullptr) words.insert(words.end(), {"-ivfsoverlay", overlay->list()});
  ToolResult compiled = run_tool(words, unit.folder, true);
  if (!compiled.started || compiled.status >= kBySignal || interrupted()) return {};
  if (compiled.status != 0) return {Object::Kind::kRefused, ""};
  return {Object::Kind::kMade, std::move(compiled.output)};
}

const CodeComparison::Object& CodeComparison::original(size_t unit) {
  Original& it = *originals_[unit];
  std::call_once(it.once, [&] { it.object = compile(build_.units[unit], nullptr); });
  return it.object;
}

std::unique_ptr<CodeComparison::Overlay> CodeComparison::overlay(const std::string& path,
                                                                 const std::string& text) {
  return std::make_unique<Overlay>(fmt::format("{}/{}", scratch_, ++overlays_),
                                   build_.tree + "/" + path, text);
}

// A guard against an overlay, or a unit, that does not look at the file: it would find everything
// the same.
bool CodeComparison::sees(const PlainUnit& unit, const std::string& path) {
  std::unique_ptr<Overlay> broken = overlay(path, "#error\n");
  return compile(unit, broken.get()).kind == Object::Kind::kRefused;
}

CodeChange CodeComparison::compare_in(size_t unit, const Overlay& changed) {
  const Object& before = original(unit);
  if (before.kind == Object::Kind::kRefused) {
    return {Kind::kNotToTell,
            fmt::format("{} does not compile as plain source", build_.units[unit].source)};
  }
  Object after = compile(build_.units[unit], &changed);
  if (before.kind == Object::Kind::kUndone || after.kind == Object::Kind::kUndone) return {};
  if (after.kind == Object::Kind::kRefused) return {Kind::kNotToTell, "it does not compile alone"};
  return {before.bytes == after.bytes ? Kind::kNone : Kind::kSome, ""};
}

CodeChange CodeComparison::compare(const std::string& path, const std::string& text) {
  std::vector<size_t> units;
  for (size_t i = 0; i < build_.units.size(); ++i) {
    if (build_.units[i].files.count(path) != 0) units.push_back(i);
  }
  if (units.size() > kMostUnitsCompared) {
    return {Kind::kNotToTell, fmt::format("{} units include the file", units.size())};
  }
  std::unique_ptr<Overlay> changed = overlay(path, text);
  for (size_t unit : units) {
    CodeChange change = compare_in(unit, *changed);
    if (change.kind != Kind::kNone) return change;
  }
  bool seen = std::any_of(units.begin(), units.end(),
                          [&](size_t unit) { return sees(build_.units[unit], path); });
  if (interrupted()) return {};
  if (!seen) return {Kind::kNotToTell, "no unit includes the file"};
  return {Kind::kNone, ""};
}

} // namespace kiln::gates
