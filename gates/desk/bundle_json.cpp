// Bundles as JSON. One list of fields serves both ways, so that what is written can be read.

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "gates/desk/bundle.h"
#include "gates/support/read_file.h"
#include "gates/support/sha256.h"
#include "gates/tape/hex.h"

namespace kiln::gates {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes of the largest bundle that is read: the largest tape, and what is said about it.
constexpr size_t kLargestBundle = 12 * kLargestTape;

/// Tapes of the largest finding that several inputs make: one for each lock class of a cycle.
constexpr size_t kMostJoined = 64;

/// Puts fields into a JSON object.
class Writer {
 public:
  explicit Writer(Json& json) : json_(json) {}
  template <typename T> void operator()(const char* section, const char* name, const T& value) {
    json_[section][name] = value;
  }

 private:
  Json& json_;
};

const char* type_wanted(const std::string&) { return "text"; }
const char* type_wanted(bool) { return "true or false"; }
const char* type_wanted(uint64_t) { return "a whole number, not negative"; }
const char* type_wanted(const std::vector<std::string>&) { return "a list of texts"; }
const char* type_wanted(const std::map<std::string, std::string>&) { return "an object of texts"; }

bool is_text_list(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_string(); });
}
bool fits(const Json& json, const std::string&) { return json.is_string(); }
bool fits(const Json& json, bool) { return json.is_boolean(); }
bool fits(const Json& json, uint64_t) { return json.is_number_unsigned(); }
bool fits(const Json& json, unsigned) {
  return json.is_number_unsigned() && json.get<uint64_t>() <= std::numeric_limits<unsigned>::max();
}
bool fits(const Json& json, int) {
  return json.is_number_integer() && json.get<int64_t>() >= 0 && json.get<int64_t>() < 128;
}
bool fits(const Json& json, const std::vector<std::string>&) { return is_text_list(json); }
bool fits(const Json& json, const std::map<std::string, std::string>&) {
  return json.is_object() &&
         std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_string(); });
}
const char* type_wanted(unsigned) { return "a whole number below 2^32"; }
const char* type_wanted(int) { return "a signal's number"; }

/// Takes fields out of a JSON object; the first that is not right is named.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}
  template <typename T> void operator()(const char* section, const char* name, T& value) {
    if (!error_.empty()) return;
    const Json* field = find(section, name);
    if (field == nullptr) return;
    if (!fits(*field, value)) {
      error_ = fmt::format("'{}.{}' must be {}", section, name, type_wanted(value));
      return;
    }
    value = field->template get<T>();
  }
  const std::string& error() const { return error_; }

 private:
  const Json* find(const char* section, const char* name) {
    auto part = json_.find(section);
    if (part == json_.end() || !part->is_object()) {
      error_ = fmt::format("the section '{}' is missing", section);
      return nullptr;
    }
    auto field = part->find(name);
    if (field == part->end()) {
      error_ = fmt::format("the field '{}.{}' is missing", section, name);
      return nullptr;
    }
    return &*field;
  }
  const Json& json_;
  std::string error_;
};

/// Every field but schema, version, id and found_at. `Some` is Bundle or const Bundle.
template <typename Visitor, typename Some> void visit_fields(Visitor& field, Some& bundle) {
  field("target", "repository", bundle.target.repository);
  field("target", "commit", bundle.target.commit);
  field("target", "edited", bundle.target.edited);
  field("target", "harness", bundle.target.harness);
  field("target", "build_flags", bundle.target.build_flags);
  field("target", "sanitizers", bundle.target.sanitizers);
  field("environment", "compiler", bundle.environment.compiler);
  field("environment", "libc", bundle.environment.libc);
  field("environment", "host_kernel", bundle.environment.host_kernel);
  field("environment", "flavour", bundle.environment.flavour);
  field("environment", "generation", bundle.environment.generation);
  field("runtime", "aslr", bundle.runtime.aslr);
  field("runtime", "seed", bundle.runtime.seed);
  field("runtime", "iteration", bundle.runtime.iteration);
  field("runtime", "origin", bundle.runtime.origin);
  field("runtime", "strategy", bundle.runtime.strategy);
  field("runtime", "clock", bundle.runtime.clock);
  field("runtime", "environment", bundle.runtime.environment);
  field("runtime", "arguments", bundle.runtime.arguments);
  field("runtime", "egress", bundle.runtime.egress);
  field("input", "sha256", bundle.input.sha256);
  field("input", "bytes", bundle.input.bytes);
  field("input", "file", bundle.input.file);
  field("input", "hex", bundle.input.hex);
  field("input", "shrunk", bundle.input.shrunk);
  field("input", "exact", bundle.input.exact);
  field("observed", "kind", bundle.observed.kind);
  field("observed", "headline", bundle.observed.headline);
  field("observed", "identity", bundle.observed.identity);
  field("observed", "place", bundle.observed.place);
  field("observed", "signal", bundle.observed.signal);
  field("observed", "stack_hash", bundle.observed.stack_hash);
  field("observed", "top_frames", bundle.observed.top_frames);
  field("observed", "digest", bundle.observed.digest);
  field("observed", "reproduced", bundle.observed.reproduced);
  field("observed", "attempts", bundle.observed.attempts);
}

/// The fields of one of several tapes.
template <typename Visitor, typename Some> void visit_tape(Visitor& field, Some& tape) {
  field("joined", "harness", tape.harness);
  field("joined", "seed", tape.seed);
  field("joined", "iteration", tape.iteration);
  field("joined", "sha256", tape.sha256);
  field("joined", "file", tape.file);
  field("joined", "hex", tape.hex);
}

Json joined_to_json(const std::vector<BundleTape>& tapes) {
  Json list = Json::array();
  for (const BundleTape& tape : tapes) {
    Json one;
    Writer write(one);
    visit_tape(write, tape);
    list.push_back(one["joined"]);
  }
  return list;
}

/// What is wrong with the tapes; "" when nothing. Most bundles have none.
std::string read_joined(const Json& json, std::vector<BundleTape>* tapes) {
  auto list = json.find("joined");
  if (list == json.end()) return "";
  if (!list->is_array() || list->size() > kMostJoined) {
    return fmt::format("'joined' must be a list of at most {} tapes", kMostJoined);
  }
  for (const Json& item : *list) {
    Json one;
    one["joined"] = item;
    Reader read(one);
    BundleTape& tape = tapes->emplace_back();
    visit_tape(read, tape);
    if (!read.error().empty()) return read.error();
    std::string error;
    std::optional<std::vector<uint8_t>> bytes = parse_hex(tape.hex, &error);
    if (!bytes) return fmt::format("'joined.hex' is damaged: {}", error);
    if (sha256_hex(*bytes) != tape.sha256) return "'joined.hex' does not have 'joined.sha256'";
  }
  return "";
}

Json shown_to_json(const std::vector<sim::ExhibitedText>& texts) {
  Json list = Json::array();
  for (const sim::ExhibitedText& text : texts) {
    list.push_back({{"title", text.title}, {"words", text.words}});
  }
  return list;
}

/// What a target had to show; "" when nothing is wrong. Most bundles have none.
std::string read_shown(const Json& json, Bundle* bundle) {
  const Json texts = json.value("shown", Json::array());
  const Json files = json.value("shown_files", Json::array());
  if (!texts.is_array() || texts.size() > sim::kMostExhibitedTexts || !is_text_list(files)) {
    return fmt::format("'shown' must be a list of at most {} texts, 'shown_files' one of names",
                       sim::kMostExhibitedTexts);
  }
  for (const Json& text : texts) {
    const bool whole = text.is_object() && text.contains("title") && text.contains("words") &&
                       text["title"].is_string() && text["words"].is_string();
    if (!whole) return "'shown' must hold texts with 'title' and 'words'";
    bundle->shown.push_back({text["title"].get<std::string>(), text["words"].get<std::string>()});
  }
  bundle->shown_files = files.get<std::vector<std::string>>();
  return "";
}

/// What the schema, version and the two fields outside of sections have wrong; "" when nothing.
std::string check_head(const Json& json) {
  if (!json.is_object() || json.value("schema", Json()) != Json(kBundleSchema)) {
    return fmt::format("it has no \"schema\": \"{}\"", kBundleSchema);
  }
  Json version = json.value("version", Json());
  if (!version.is_number_unsigned()) return "'version' must be a whole number";
  if (version.get<uint64_t>() != kBundleVersion) {
    return fmt::format("it has version {}, and this program reads version {}",
                       version.get<uint64_t>(), kBundleVersion);
  }
  for (const char* name : {"id", "found_at"}) {
    if (!json.contains(name)) return fmt::format("the field '{}' is missing", name);
    if (!json[name].is_string()) return fmt::format("'{}' must be text", name);
  }
  return "";
}

/// Fields that must agree with each other.
std::string check_input(const Bundle& bundle) {
  std::string error;
  std::optional<std::vector<uint8_t>> bytes = parse_hex(bundle.input.hex, &error);
  if (!bytes) return fmt::format("'input.hex' is damaged: {}", error);
  if (bytes->size() != bundle.input.bytes) return "'input.bytes' is not the length of 'input.hex'";
  if (sha256_hex(*bytes) != bundle.input.sha256) return "'input.hex' does not have 'input.sha256'";
  if (bundle_id(bundle.observed.stack_hash, bundle.input.sha256) != bundle.id) {
    return "'id' does not follow from 'observed.stack_hash' and 'input.sha256'";
  }
  return "";
}

} // namespace

std::string bundle_to_json(const Bundle& bundle) {
  Json json;
  json["schema"] = kBundleSchema;
  json["version"] = kBundleVersion;
  json["id"] = bundle.id;
  json["found_at"] = bundle.found_at;
  Writer write(json);
  visit_fields(write, bundle);
  if (!bundle.joined.empty()) json["joined"] = joined_to_json(bundle.joined);
  if (!bundle.shown.empty()) json["shown"] = shown_to_json(bundle.shown);
  if (!bundle.shown_files.empty()) json["shown_files"] = bundle.shown_files;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Bundle> bundle_from_json(std::string_view text, std::string* error) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    *error = "not a bundle: it is not JSON";
    return std::nullopt;
  }
  if (std::string wrong = check_head(json); !wrong.empty()) {
    *error = "not a bundle that can be read: " + wrong;
    return std::nullopt;
  }
  Bundle bundle;
  bundle.id = json["id"].get<std::string>();
  bundle.found_at = json["found_at"].get<std::string>();
  Reader read(json);
  visit_fields(read, bundle);
  std::string wrong = read.error().empty() ? check_input(bundle) : read.error();
  if (wrong.empty()) wrong = read_joined(json, &bundle.joined);
  if (wrong.empty()) wrong = read_shown(json, &bundle);
  if (wrong.empty()) return bundle;
  *error = "not a bundle that can be read: " + wrong;
  return std::nullopt;
}

std::optional<Bundle> read_bundle(const std::string& path, std::string* error) {
  std::optional<std::string> text = read_file(path, kLargestBundle, "a bundle", error);
  if (!text) return std::nullopt;
  std::optional<Bundle> bundle = bundle_from_json(*text, error);
  if (!bundle) *error = fmt::format("'{}' is {}", path, *error);
  return bundle;
}

} // namespace kiln::gates
