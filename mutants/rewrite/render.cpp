#include "mutants/rewrite/render.h"

#include <algorithm>
#include <tuple>

namespace kiln::mutants {
namespace {

/// A site's hold on one span; a swap has two.
struct Edit {
  Span span;
  uint32_t site;
  bool insertion; ///< nothing of the original is inside
  bool later;     ///< of a swap: the second statement
};

/// In the order in which they are written: outer ones first.
std::vector<Edit> edits_of(const SourceFile& file) {
  std::vector<Edit> edits;
  for (uint32_t i = 0; i < file.sites.size(); ++i) {
    const Site& site = file.sites[i];
    if (site.shape == Shape::kSwap) {
      edits.push_back({{site.span.begin, site.span.begin}, i, true, false});
      edits.push_back({site.later, i, false, true});
    } else {
      edits.push_back({site.span, i, site.span.begin == site.span.end, false});
    }
  }
  std::ranges::sort(edits, {}, [&](const Edit& edit) {
    return std::make_tuple(edit.span.begin, !edit.insertion, ~edit.span.end,
                           file.sites[edit.site].shape, edit.site);
  });
  return edits;
}

/// Indices of sites whose spans cross an earlier one's.
std::vector<uint32_t> crossing(const std::vector<Edit>& edits) {
  std::vector<Span> open;
  std::vector<uint32_t> wrong;
  for (const Edit& edit : edits) {
    while (!open.empty() && open.back().end <= edit.span.begin) {
      open.pop_back();
    }
    if (!open.empty() && edit.span.end > open.back().end) {
      wrong.push_back(edit.site);
    } else {
      open.push_back(edit.span);
    }
  }
  return wrong;
}

class Writer {
 public:
  Writer(const SourceFile& file, const std::string& shown)
      : file_(file), shown_(shown), edits_(edits_of(file)) {}

  Rendered write() {
    size_t next = 0;
    write_span({0, static_cast<uint32_t>(file_.text.size())}, next);
    std::ranges::sort(out_.owners, {}, [](const Rendered::Owner& owner) {
      return std::make_tuple(owner.span.begin, ~owner.span.end, owner.variant);
    });
    return std::move(out_);
  }

 private:
  uint32_t here() const { return static_cast<uint32_t>(out_.text.size()); }
  void put(std::string_view text) { out_.text += text; }

  void keep(uint32_t begin, uint32_t end) {
    if (begin == end) return;
    out_.kept.push_back({begin, here(), end - begin});
    put(std::string_view(file_.text).substr(begin, end - begin));
  }

  static bool lies_in(const Edit& edit, Span span) {
    return span.holds(edit.span) && (!edit.insertion || edit.span.begin < span.end);
  }

  void write_span(Span span, size_t& next) {
    uint32_t at = span.begin;
    while (next < edits_.size() && lies_in(edits_[next], span)) {
      const Edit edit = edits_[next++];
      keep(at, edit.span.begin);
      write_edit(edit, next);
      at = edit.span.end;
    }
    keep(at, span.end);
  }

  void write_edit(const Edit& edit, size_t& next) {
    uint32_t begin = here();
    const Site& site = file_.sites[edit.site];
    if (edit.insertion) {
      put_insertion(site, edit.site);
    } else {
      open(site, edit);
      write_span(edit.span, next);
      close(site, edit);
    }
    out_.owners.push_back({{begin, here()}, edit.site, -1});
  }

  std::string at(const Site& site) const {
    return std::string(site.by_compiler ? "KILN_AT_CONSTEXPR(" : "KILN_AT(") + file_.id + "," +
           std::to_string(site.number) + ")";
  }
  static std::string tick(const Site& site) {
    return site.by_compiler ? "KILN_TICK_CONSTEXPR();" : "KILN_TICK();";
  }

  void put_variant(const std::string& text, uint32_t site, int variant) {
    uint32_t begin = here();
    put(text);
    out_.owners.push_back({{begin, here()}, site, variant});
  }

  void put_insertion(const Site& site, uint32_t index) {
    if (site.shape == Shape::kTick) {
      put(" " + tick(site) + " ");
      return;
    }
    put("{ if (" + at(site) + ") { ");
    put_variant(site.line, index, 0);
    put(" } } ");
  }

  void open(const Site& site, const Edit& edit) {
    switch (site.shape) {
    case Shape::kTick:
      put("{ " + tick(site) + " ");
      break;
    case Shape::kSwap:
    case Shape::kDrop:
      put("{ if (!" + at(site) + ") { ");
      break;
    case Shape::kNamed:
      open_named(site, edit.site);
      break;
    case Shape::kReplace:
      put("{ if (" + at(site) + ") { ");
      put_variant(site.variants[0].text, edit.site, 0);
      put(" } else { ");
      break;
    case Shape::kBefore:
      put(site.bare ? "" : "{ ");
      put("if (" + at(site) + ") { ");
      put_variant(site.variants[0].text, edit.site, 0);
      put(" } ");
      break;
    case Shape::kAfter:
      put(site.bare ? "" : "{ ");
      break;
    case Shape::kTruth:
    case Shape::kChoice:
      open_choice(site, edit.site);
      break;
    }
  }

  void close(const Site& site, const Edit& edit) {
    switch (site.shape) {
    case Shape::kTick:
    case Shape::kNamed:
      put(" }");
      break;
    case Shape::kSwap:
    case Shape::kDrop:
    case Shape::kReplace:
      put(" } }");
      break;
    case Shape::kBefore:
      put(site.bare ? "" : " }");
      break;
    case Shape::kAfter:
      put(" if (" + at(site) + ") { ");
      put_variant(site.variants[0].text, edit.site, 0);
      put(site.bare ? " }" : " } }");
      break;
    case Shape::kTruth:
    case Shape::kChoice:
      put(site.cast.empty() ? "))" : ")))");
      break;
    }
  }

  void open_named(const Site& site, uint32_t index) {
    std::string line = "\n" + line_directive(line_column(file_.text, site.span.begin).line, shown_);
    put("{ if (" + at(site) + ")" + line);
    put_variant(site.variants[0].text, index, 0);
    put("\nelse" + line);
  }

  void open_choice(const Site& site, uint32_t index) {
    if (!site.cast.empty()) {
      put("static_cast<" + site.cast + ">(");
    }
    put("(" + at(site) + " ? ");
    size_t count = site.variants.size();
    put(count > 1 ? "(" : "");
    for (size_t i = 0; i < count; ++i) {
      if (i + 1 < count) {
        put("KILN_IS(" + file_.id + "," + std::to_string(site.number) + "," +
            std::to_string(i + 1) + ") ? ");
      }
      put_value(site, index, i);
      put(i + 1 < count ? " : " : "");
    }
    put(count > 1 ? ")" : "");
    put(site.shape == Shape::kTruth ? " : static_cast<bool>(" : " : (");
  }

  void put_value(const Site& site, uint32_t index, size_t variant) {
    const SiteVariant& value = site.variants[variant];
    if (value.compared) {
      put("KILN_COMPARED(" + file_.id + "," + std::to_string(site.number) + ",(" +
          value_of_original(site) + "),(");
      put_variant(value.text, index, static_cast<int>(variant));
      put("))");
    } else {
      put("(");
      put_variant(value.text, index, static_cast<int>(variant));
      put(")");
    }
  }

  static std::string value_of_original(const Site& site) {
    return site.shape == Shape::kTruth ? "static_cast<bool>(" + site.line + ")" : site.line;
  }

  const SourceFile& file_;
  const std::string& shown_;
  std::vector<Edit> edits_;
  Rendered out_;
};

} // namespace

LineColumn line_column(const std::string& text, uint32_t offset) {
  LineColumn at;
  for (uint32_t i = 0; i < offset && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++at.line;
      at.column = 1;
    } else {
      ++at.column;
    }
  }
  return at;
}

std::vector<int> number_sites(SourceFile& file) {
  std::vector<Edit> edits = edits_of(file);
  std::vector<bool> gone(file.sites.size());
  for (uint32_t site : crossing(edits)) {
    gone[site] = true;
  }
  std::vector<Site> sorted;
  std::vector<int> lost;
  std::vector<bool> seen(file.sites.size());
  for (const Edit& edit : edits) {
    if (seen[edit.site]) continue;
    seen[edit.site] = true;
    Site& site = file.sites[edit.site];
    if (!gone[edit.site]) {
      sorted.push_back(std::move(site));
      continue;
    }
    if (site.shape == Shape::kNamed) lost.push_back(site.named);
    for (const SiteVariant& variant : site.variants) {
      file.unmade.push_back({site.whole(), variant.oper, "Its text crosses another mutant's."});
    }
  }
  file.sites = std::move(sorted);
  uint32_t number = 0;
  for (Site& site : file.sites) {
    site.number = site.switched() ? number++ : 0;
  }
  return lost;
}

std::string line_directive(uint32_t line, const std::string& path) {
  std::string text = "#line " + std::to_string(line) + " \"";
  for (char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"\n";
}

Rendered render(const SourceFile& file, const std::string& shown) {
  return Writer(file, shown).write();
}

std::optional<Rendered::Owner> Rendered::owner_at(uint32_t offset) const {
  std::optional<Owner> innermost;
  for (const Owner& owner : owners) {
    if (owner.span.begin > offset) break;
    if (owner.span.holds(offset)) innermost = owner;
  }
  return innermost;
}

uint32_t Rendered::moved(uint32_t original) const {
  auto after = std::upper_bound(kept.begin(), kept.end(), original,
                                [](uint32_t offset, const Kept& k) { return offset < k.from; });
  if (after == kept.begin()) return 0;
  const Kept& k = *std::prev(after);
  return k.to + std::min(original - k.from, k.size);
}

std::string other_text(const SourceFile& file, const Site& site, size_t variant) {
  auto part = [&](uint32_t begin, uint32_t end) { return file.text.substr(begin, end - begin); };
  std::string original = part(site.span.begin, site.span.end);
  const std::string& other = site.variants[variant].text;
  switch (site.shape) {
  case Shape::kSwap:
    return part(site.later.begin, site.later.end) + part(site.span.end, site.later.begin) +
           original;
  case Shape::kBefore:
    return other + " " + original;
  case Shape::kAfter:
    return original + " " + other;
  default:
    return other;
  }
}

std::string plain_variant(const SourceFile& file, const Site& site, size_t variant) {
  std::string text = other_text(file, site, variant);
  switch (site.shape) {
  case Shape::kTruth:
  case Shape::kChoice:
    return "(" + text + ")";
  case Shape::kReplace:
    return "{ " + text + " }";
  case Shape::kDrop:
    return "{ }";
  case Shape::kBefore:
  case Shape::kAfter:
    return site.bare ? text : "{ " + text + " }";
  default:
    return text;
  }
}

} // namespace kiln::mutants
