#include "mutants/rewrite/single.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mutants/rewrite/output.h"

namespace kiln::mutants {
namespace {

using nlohmann::json;

/// Edits of one file, the last place first.
std::string edited(std::string text, const json& edits, const std::string& path) {
  std::vector<json> sorted;
  for (const json& edit : edits) {
    if (edit["path"] == path) sorted.push_back(edit);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const json& a, const json& b) { return a["begin"] > b["begin"]; });
  for (const json& edit : sorted) {
    size_t begin = edit["begin"];
    text.replace(begin, edit["end"].get<size_t>() - begin, edit["text"].get<std::string>());
  }
  return text;
}

/// The bytes that the first edit replaces are the ones that the table was made of.
bool is_unchanged(const std::string& text, const json& mutant) {
  const json& edit = mutant["edits"][0];
  size_t begin = edit["begin"];
  size_t end = edit["end"];
  return end <= text.size() &&
         folded(text.substr(begin, end - begin)) == mutant["original"].get<std::string>();
}

} // namespace

bool write_single(const std::string& mutants, const std::string& root, size_t number,
                  const std::string& out, std::string* error) {
  std::ifstream table(mutants);
  json all = json::parse(table, nullptr, false);
  if (all.is_discarded() || !all.contains("mutants")) {
    *error = "'" + mutants + "' is no mutants.json; --mutants names the one of the whole run";
    return false;
  }
  if (number >= all["mutants"].size()) {
    *error = "there is no mutant " + std::to_string(number) + "; the last one is " +
             std::to_string(all["mutants"].size()) + " less one";
    return false;
  }
  const json& mutant = all["mutants"][number];
  std::string path = mutant["edits"][0]["path"];
  std::ifstream source(root + "/" + path, std::ios::binary);
  std::ostringstream text;
  text << source.rdbuf();
  if (!source || !is_unchanged(text.str(), mutant)) {
    *error =
        path + " is not what it was when '" + mutants + "' was written; run kiln-mutator again";
    return false;
  }
  return write_if_changed(out, edited(text.str(), mutant["edits"], path), error);
}

} // namespace kiln::mutants
