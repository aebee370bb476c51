#include "mutants/rewrite/take_out.h"

#include <algorithm>
#include <set>

#include "mutants/rewrite/parallel.h"

namespace kiln::mutants {
namespace {

/// Far more than any sources have needed: most of what is wrong is told at once.
constexpr unsigned kMostRounds = 40;

/// Why a variant was taken out, by the compiler's words.
struct Removal {
  uint32_t site;
  int variant; ///< -1: all of the site
  std::string reason;
};

class TakeOut {
 public:
  TakeOut(const Work& work, Rewritten& result, std::string* error)
      : work_(work), result_(result), error_(error) {}

  bool run(std::vector<size_t> units) {
    while (!units.empty()) {
      if (++result_.rounds > kMostRounds) {
        return refuse("kiln-mutator found no set of mutants that compiles; last: " + last_);
      }
      if (!compile(units)) return false;
    }
    return true;
  }

 private:
  bool refuse(std::string sentence) {
    *error_ = std::move(sentence);
    return false;
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
    for (auto by :
         {&TakeOut::by_owner, &TakeOut::by_line, &TakeOut::by_function, &TakeOut::by_file}) {
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
  std::map<std::string, Rendered> rendered_;
  Overlay overlay_;
  std::string last_;
};

} // namespace

bool take_out(const Work& work, std::vector<size_t> units, Rewritten* result, std::string* error) {
  return TakeOut(work, *result, error).run(std::move(units));
}

} // namespace kiln::mutants
