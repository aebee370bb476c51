#pragma once
// What the frame knows of a file: the places that can be switched (sites), found in the syntax
// tree and kept as offsets into the file's text, so that they outlive the tree. Nothing here knows
// clang.

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::mutants {

/// Bytes [begin, end) of a file's text.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const Span&) const = default;
  bool holds(uint32_t offset) const { return begin <= offset && offset < end; }
  bool holds(Span inner) const { return begin <= inner.begin && inner.end <= end; }
};

/// How a site's text is built from the original. In the order of nesting: of several sites with
/// one span, the first lies outside.
enum class Shape : uint8_t {
  kTick,    ///< no mutant: takes fuel, at the top of a loop's body
  kSwap,    ///< two neighbours, in the other order
  kNamed,   ///< a function's body, after a patch
  kReplace, ///< a statement; another text in its place
  kDrop,    ///< a statement, not executed
  kBefore,  ///< a statement, with text before it
  kAfter,   ///< a statement, with text behind it
  kTruth,   ///< an expression of any type that is read as a bool, with other bools for it
  kChoice,  ///< an expression, with other texts of its type for it
};

struct SiteVariant {
  std::string oper;
  std::string text; ///< in one line; kNamed: the whole patched body, line breaks and all
  bool compared = false;
};

struct Site {
  Shape shape{};
  Span span;        ///< kSwap: of the earlier statement; an empty one inserts
  Span later;       ///< kSwap only
  std::string line; ///< in one line: kSwap: the later statement; choices: the original
  std::vector<SiteVariant> variants; ///< one, but for choices; none for kTick
  bool by_compiler = false;          ///< the code may also be evaluated by the compiler (constexpr)
  bool bare = false;                 ///< a declaration: braces around it would end its life
  std::string cast;                  ///< of choices: type that it is cast to; empty: none
  std::string function;              ///< qualified name
  int named = -1;                    ///< kNamed: index of the patch
  uint32_t number = 0;               ///< within the file; see number_sites
  bool is_choice() const { return shape == Shape::kTruth || shape == Shape::kChoice; }
  bool switched() const { return shape != Shape::kTick; }
  /// From the first byte that differs from the original to the last.
  Span whole() const { return shape == Shape::kSwap ? Span{span.begin, later.end} : span; }
};

/// A place that an operator wanted and that could not be switched.
struct Unmade {
  Span span;
  std::string oper;
  std::string reason; ///< one sentence
};

/// The body of a function (no lambda's), braces included.
struct FunctionBody {
  Span span;
  std::string name;
  bool by_compiler = false;
};

enum class Kind : uint8_t { kKernel, kHarness };

struct SourceFile {
  std::string path; ///< from the top of the checkout
  std::string text; ///< the original
  Kind kind{};
  std::string id; ///< of the macros, see KILN_MUTANT_FILE in sim/mutant_switch.h
  std::vector<Site> sites;
  std::vector<Unmade> unmade;
  std::vector<FunctionBody> bodies;
};

/// Line and column of an offset, both from 1.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
};
LineColumn line_column(const std::string& text, uint32_t offset);

} // namespace kiln::mutants
