#pragma once
// Joins the sites of a file to one text, in which every line of the original keeps its number.
//
//   (KILN_AT(f, 7) ? (a <= b) : (a < b))             kChoice
//   { if (!KILN_AT(f, 8)) { release(page); } }       kDrop

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mutants/rewrite/site.h"

namespace kiln::mutants {

/// Sorts the sites by position and nesting, and numbers those that have a byte. Sites that cross
/// others become unmade; returns the patches (Site::named) that such a site was of.
std::vector<int> number_sites(SourceFile& file);

struct Rendered {
  std::string text;
  /// Which bytes of the text are a site's, outer sites first.
  struct Owner {
    Span span;
    uint32_t site;   ///< index in SourceFile::sites
    int variant = 0; ///< index of the variant whose text this is; -1: the site's own
  };
  std::vector<Owner> owners;
  /// The innermost owner of that byte.
  std::optional<Owner> owner_at(uint32_t offset) const;
  /// Where an offset of the original is now.
  uint32_t moved(uint32_t original) const;

  struct Kept {
    uint32_t from; ///< in the original
    uint32_t to;
    uint32_t size;
  };
  std::vector<Kept> kept; ///< ascending in both
};

/// "#line 12 "src/a.cpp"" with a line break.
std::string line_directive(uint32_t line, const std::string& path);

/// After number_sites. `shown`: the path that #line directives name.
Rendered render(const SourceFile& file, const std::string& shown);

/// What stands for site.whole() when one variant of the site runs, for people; nothing for a drop.
std::string other_text(const SourceFile& file, const Site& site, size_t variant);

/// The same as plain source that can be compiled in its place.
std::string plain_variant(const SourceFile& file, const Site& site, size_t variant);

} // namespace kiln::mutants
