#include "mutants/rewrite/rewrite.h"

#include <algorithm>
#include <cctype>
#include <mutex>
#include <set>

#include "mutants/rewrite/parallel.h"
#include "mutants/rewrite/reach.h"
#include "mutants/rewrite/switch_text.h"
#include "mutants/rewrite/take_out.h"
#include "mutants/rewrite/walk.h"

namespace kiln::mutants {
namespace {

std::string macro_id(const std::string& path) {
  std::string id = path;
  for (char& c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return id;
}

class Frame {
 public:
  Frame(const Work& work, Rewritten& result, std::string* error)
      : work_(work), result_(result), error_(error) {}

  bool run() { return choose_units() && look() && add_patches() && take_out_all(); }

 private:
  bool refuse(std::string sentence) {
    *error_ = std::move(sentence);
    return false;
  }

  bool is_watched(const std::string& absolute) const {
    return work_.subject.kind_of(work_.subject.relative(absolute)).has_value();
  }

  // --- Looking

  /// Finds the units that see a file of the subject's (concerned_), and of these as few as see all
  /// of its files (to_look_at_): what has a file as its own first.
  bool choose_units() {
    watched_ = subject_files_of(work_.units, work_.subject);
    for (size_t i = 0; i < watched_.size(); ++i) {
      if (!watched_[i].empty()) concerned_.push_back(i);
    }
    std::set<std::string> seen;
    for (bool own : {true, false}) {
      for (size_t i : concerned_) {
        if (is_watched(work_.units[i].file) != own) continue;
        bool shows_more = std::any_of(watched_[i].begin(), watched_[i].end(),
                                      [&](const auto& file) { return !seen.contains(file); });
        if (shows_more) to_look_at_.push_back(i);
        seen.insert(watched_[i].begin(), watched_[i].end());
      }
    }
    return !concerned_.empty() ||
           refuse("no unit of the compilation database includes a file of the folders to mutate");
  }

  bool look() {
    std::vector<std::vector<Complaint>> complaints(to_look_at_.size());
    in_parallel(to_look_at_.size(), work_.jobs,
                [&](size_t i) { complaints[i] = look_at(to_look_at_[i]); });
    for (size_t i = 0; i < to_look_at_.size(); ++i) {
      if (complaints[i].empty()) continue;
      const Complaint& first = complaints[i].front();
      return refuse("the original does not compile: " +
                    (first.where.empty() ? work_.units[to_look_at_[i]].file : first.where) + ": " +
                    first.text);
    }
    result_.rounds = 1;
    work_.says(std::to_string(to_look_at_.size()) + " units read");
    return true;
  }

  std::vector<Complaint> look_at(size_t index) {
    const Unit& unit = work_.units[index];
    std::vector<std::unique_ptr<Operator>> operators = all_operators();
    ParseOptions options;
    options.wants_bodies = [&](const std::string& path) { return is_watched(path); };
    options.tree = [&](clang::ASTContext& context, clang::Preprocessor& preprocessor) {
      keep(index,
           walk_unit(context, preprocessor, work_.subject, work_.roles, operators, unit.directory));
    };
    return parse_unit(unit, options);
  }

  /// A header is the first unit's that includes it, whichever thread was first.
  void keep(size_t unit, std::vector<FileFacts> facts) {
    std::lock_guard lock(mutex_);
    for (FileFacts& fact : facts) {
      auto [seen, fresh] = first_seen_.try_emplace(fact.path, unit);
      if (!fresh && seen->second <= unit) continue;
      seen->second = unit;
      SourceFile& file = result_.files[fact.path];
      if (fresh) {
        file.path = fact.path;
        file.kind = *work_.subject.kind_of(fact.path);
        file.id = macro_id(fact.path);
      }
      file.text = std::move(fact.text);
      file.sites = std::move(fact.sites);
      file.unmade = std::move(fact.unmade);
      file.bodies = std::move(fact.bodies);
    }
  }

  // --- Patches

  bool add_patches() {
    for (size_t i = 0; i < work_.patches.size(); ++i) {
      const Patch& patch = work_.patches[i];
      for (const Patch::File& changed : patch.files) {
        auto file = result_.files.find(changed.path);
        if (file == result_.files.end()) {
          return refuse(patch.name + ".patch changes " + changed.path +
                        ", which is no file with functions in the folders to mutate");
        }
        auto changes = find_changes(patch, changed, file->second.text, error_);
        if (!changes) return false;
        auto sites = patched_bodies(patch, *changes, file->second, static_cast<int>(i), error_);
        if (!sites) return false;
        for (Site& site : *sites) {
          file->second.sites.push_back(std::move(site));
        }
      }
    }
    make_ids_unique();
    return join();
  }

  /// a/b.h and a_b.h are not the same file.
  void make_ids_unique() {
    std::set<std::string> ids;
    for (auto& [path, file] : result_.files) {
      while (!ids.insert(file.id).second) {
        file.id += '_';
      }
    }
  }

  /// A named mutant that is not made would be a hole in the catalogue.
  bool join() {
    for (auto& [path, file] : result_.files) {
      for (int patch : number_sites(file)) {
        return refuse(work_.patches[static_cast<size_t>(patch)].name +
                      ".patch: what it changes in " + path + " crosses another mutant's text");
      }
    }
    return true;
  }

  // --- Taking out

  /// What is wrong in a header is wrong in all units that include it: so headers are made to
  /// compile first, in one unit each.
  bool take_out_all() {
    std::set<size_t> with_header;
    for (const auto& [path, unit] : first_seen_) {
      if (work_.subject.absolute(path) != work_.units[unit].file) with_header.insert(unit);
    }
    std::vector<size_t> others;
    for (size_t i : concerned_) {
      if (!with_header.contains(i)) others.push_back(i);
    }
    std::vector<size_t> first(with_header.begin(), with_header.end());
    for (std::vector<size_t>* units : {&first, &others}) {
      std::erase_if(*units, [&](size_t i) { return !may_not_compile(i); });
    }
    return take_out(work_, std::move(first), &result_, error_) &&
           take_out(work_, std::move(others), &result_, error_);
  }

  /// Whether an operator or, in a unit of the subject's own, a patch has changed what it sees.
  bool may_not_compile(size_t unit) const {
    bool own = is_watched(work_.units[unit].file);
    return std::ranges::any_of(watched_[unit], [&](const std::string& absolute) {
      auto file = result_.files.find(work_.subject.relative(absolute));
      return file != result_.files.end() &&
             std::ranges::any_of(file->second.sites, [&](const Site& site) {
               return site.shape != Shape::kTick && (own || site.shape != Shape::kNamed);
             });
    });
  }

  const Work& work_;
  Rewritten& result_;
  std::string* error_;
  std::vector<std::set<std::string>> watched_; ///< by unit: the files that it sees
  std::vector<size_t> concerned_;              ///< units that see a file of the subject's
  std::vector<size_t> to_look_at_;             ///< of these, enough to see every file
  std::mutex mutex_;
  std::map<std::string, size_t> first_seen_;
};

} // namespace

bool rewrite(const Work& work, Rewritten* result, std::string* error) {
  *result = {};
  return Frame(work, *result, error).run();
}

std::string header_text(const std::map<std::string, SourceFile>& files) {
  std::string text = kSwitchText;
  text += "\n#ifdef __cplusplus\n";
  for (const auto& [path, file] : files) {
    auto sites = static_cast<size_t>(std::count_if(file.sites.begin(), file.sites.end(),
                                                   [](const Site& s) { return s.switched(); }));
    // Rounded up: a mutant more must not compile everything anew.
    text += "KILN_MUTANT_FILE(" + file.id + ", " + std::to_string(sites / 256 * 256 + 256) + ")\n";
  }
  return text + "#endif\n";
}

} // namespace kiln::mutants
