#include "mutants/rewrite/rewrite.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <mutex>
#include <set>
#include <thread>

#include "mutants/rewrite/reach.h"
#include "mutants/rewrite/switch_text.h"
#include "mutants/rewrite/walk.h"

namespace kiln::mutants {
namespace {

/// Texts and rounds: enough for one site a round in the worst of files.
constexpr unsigned kMostRounds = 40;

/// Runs work(0) to work(count - 1) on `jobs` threads.
void in_parallel(size_t count, unsigned jobs, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  auto loop = [&] {
    for (size_t i = next++; i < count; i = next++) {
      work(i);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i) {
    threads.emplace_back(loop);
  }
  loop();
  for (std::thread& thread : threads) {
    thread.join();
  }
}

std::string macro_id(const std::string& path) {
  std::string id = path;
  for (char& c : id) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return id;
}

/// Why a variant was taken out, by the compiler's words.
struct Removal {
  uint32_t site;
  int variant; ///< -1: all of the site
  std::string reason;
};

class Frame {
 public:
  Frame(const Work& work, Rewritten& result, std::string* error)
      : work_(work), result_(result), error_(error) {}

  bool run() { return choose_units() && look() && add_patches() && take_out(); }

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
  bool take_out() {
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
    return take_out_of(first) && take_out_of(others);
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

  bool take_out_of(std::vector<size_t> units) {
    while (!units.empty()) {
      if (++result_.rounds > kMostRounds) {
        return refuse("kiln-mutator found no set of mutants that compiles; last: " + last_);
      }
      if (!compile(units)) return false;
    }
    return true;
  }

  /// Parses the rewritten text of the units; those that remain have complained.
  bool compile(std::vector<size_t>& units) {
    render_all();
    std::vector<std::vector<Complaint>> complaints(units.size());
    ParseOptions options;
    options.overlay = &overlay_;
    options.forced_include = work_.header;
    // Those of users too, which instantiate the subject's templates, and the switches' own.
    options.wants_bodies = [&](const std::string& path) {
      return path == work_.header || !work_.subject.relative(path).empty();
    };
    in_parallel(units.size(), work_.jobs,
                [&](size_t i) { complaints[i] = parse_unit(work_.units[units[i]], options); });
    std::map<std::string, std::vector<Removal>> removals;
    std::vector<size_t> again;
    for (size_t i = 0; i < units.size(); ++i) {
      if (!complaints[i].empty()) again.push_back(units[i]);
      for (const Complaint& complaint : complaints[i]) {
        if (!blame(complaint, removals)) return false;
      }
    }
    size_t removed = 0;
    for (auto& [path, of_file] : removals) {
      if (!patches_compile(result_.files.at(path), of_file)) return false;
      removed += remove(result_.files.at(path), of_file);
    }
    work_.says(std::to_string(units.size()) + " rewritten units read, " + std::to_string(removed) +
               " mutants taken out that do not compile");
    units = std::move(again);
    return true;
  }

  void render_all() {
    overlay_.clear();
    rendered_.clear();
    for (auto& [path, file] : result_.files) {
      number_sites(file);
      std::string absolute = work_.subject.absolute(path);
      Rendered& rendered = rendered_[path] = render(file, absolute);
      overlay_[absolute] = rendered.text;
    }
    overlay_[work_.header] = header_text(result_.files);
  }

  /// Finds the site that an error is about; false when there is none.
  bool blame(const Complaint& complaint, std::map<std::string, std::vector<Removal>>& removals) {
    for (auto by : {&Frame::by_owner, &Frame::by_line, &Frame::by_function, &Frame::by_file}) {
      for (const Complaint::Place& place : complaint.places) {
        std::string path = work_.subject.relative(place.file);
        auto rendered = rendered_.find(path);
        if (rendered == rendered_.end()) continue;
        std::vector<Removal> found =
            (this->*by)(rendered->second, result_.files.at(path), place.offset);
        if (found.empty()) continue;
        for (Removal& removal : found) {
          removal.reason = complaint.text;
          removals[path].push_back(std::move(removal));
        }
        return true;
      }
    }
    return refuse("a rewritten file does not compile, and no mutant of it is to blame: " +
                  complaint.where + ": " + complaint.text);
  }

  std::vector<Removal> by_owner(const Rendered& rendered, const SourceFile& file, uint32_t offset) {
    auto owner = rendered.owner_at(offset);
    if (!owner || is_around_a_body(file, *owner)) return {};
    return {{owner->site, owner->variant, ""}};
  }

  /// The unpatched body of a function is no text of the patch's.
  static bool is_around_a_body(const SourceFile& file, const Rendered::Owner& owner) {
    return file.sites[owner.site].shape == Shape::kNamed && owner.variant == -1;
  }

  static std::vector<Removal> inside(const Rendered& rendered, const SourceFile& file, Span span) {
    std::vector<Removal> found;
    for (const Rendered::Owner& owner : rendered.owners) {
      if (owner.variant == -1 && span.holds(owner.span.begin) && !is_around_a_body(file, owner)) {
        found.push_back({owner.site, -1, ""});
      }
    }
    return found;
  }

  std::vector<Removal> by_line(const Rendered& rendered, const SourceFile& file, uint32_t offset) {
    size_t begin = rendered.text.rfind('\n', offset == 0 ? 0 : offset - 1);
    size_t end = rendered.text.find('\n', offset);
    return inside(rendered, file,
                  {begin == std::string::npos ? 0 : static_cast<uint32_t>(begin),
                   static_cast<uint32_t>(std::min(end, rendered.text.size()))});
  }

  std::vector<Removal> by_function(const Rendered& rendered, const SourceFile& file,
                                   uint32_t offset) {
    for (const FunctionBody& body : file.bodies) {
      Span span{rendered.moved(body.span.begin), rendered.moved(body.span.end)};
      if (span.holds(offset)) return inside(rendered, file, span);
    }
    return {};
  }

  std::vector<Removal> by_file(const Rendered& rendered, const SourceFile& file, uint32_t) {
    return inside(rendered, file, {0, static_cast<uint32_t>(rendered.text.size())});
  }

  /// A named mutant that is not made would be a hole in the catalogue.
  bool patches_compile(const SourceFile& file, const std::vector<Removal>& removals) {
    for (const Removal& removal : removals) {
      int named = file.sites[removal.site].named;
      if (named >= 0) {
        return refuse(work_.patches[static_cast<size_t>(named)].name +
                      ".patch does not compile in " + file.path + ": " + removal.reason);
      }
    }
    return true;
  }

  /// How many mutants are gone.
  size_t remove(SourceFile& file, const std::vector<Removal>& removals) {
    std::vector<std::set<int>> gone(file.sites.size());
    size_t count = 0;
    for (const Removal& removal : removals) {
      Site& site = file.sites[removal.site];
      int from = removal.variant < 0 ? 0 : removal.variant;
      int to = removal.variant < 0 ? static_cast<int>(site.variants.size()) : from + 1;
      if (to == 0) gone[removal.site].insert(-1); // a tick
      for (int v = from; v < to; ++v) {
        if (!gone[removal.site].insert(v).second) continue;
        last_ = file.path + ": " + removal.reason;
        file.unmade.push_back({site.whole(), site.variants[static_cast<size_t>(v)].oper,
                               "It does not compile: " + removal.reason + "."});
        ++count;
      }
    }
    erase(file, gone);
    return count;
  }

  static void erase(SourceFile& file, const std::vector<std::set<int>>& gone) {
    std::vector<Site> left;
    for (size_t i = 0; i < file.sites.size(); ++i) {
      Site& site = file.sites[i];
      for (auto v = gone[i].rbegin(); v != gone[i].rend(); ++v) {
        if (*v >= 0) site.variants.erase(site.variants.begin() + *v);
      }
      bool tick = site.shape == Shape::kTick;
      if (tick ? gone[i].empty() : !site.variants.empty()) left.push_back(std::move(site));
    }
    file.sites = std::move(left);
  }

  const Work& work_;
  Rewritten& result_;
  std::string* error_;
  std::vector<std::set<std::string>> watched_; ///< by unit: the files that it sees
  std::vector<size_t> concerned_;              ///< units that see a file of the subject's
  std::vector<size_t> to_look_at_;             ///< of these, enough to see every file
  std::mutex mutex_;
  std::map<std::string, size_t> first_seen_;
  std::map<std::string, Rendered> rendered_;
  Overlay overlay_;
  std::string last_;
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
