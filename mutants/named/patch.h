#pragma once
// An entry of the catalogue: a patch that puts a bug back, and a head that says which.
//
//   Kind: B1
//   Target: boot/fdt
//   Within: 20000
//   Was: One or two sentences, which may
//    go on in lines that begin with a blank.
//
//   --- a/kernel-src/boot/fdt_walk.cpp
//   +++ b/kernel-src/boot/fdt_walk.cpp
//   @@ -10,7 +10,7 @@

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mutants/rewrite/site.h"

namespace kiln::mutants {

struct Patch {
  std::string name; ///< the file's, without its ending
  std::string kind;
  std::string target;
  uint64_t within = 0;
  std::string was;

  struct Hunk {
    uint32_t line = 0;            ///< of the patch, for what is said about it
    uint32_t old_line = 0;        ///< of the file, from 1; it may have moved
    std::vector<std::string> old; ///< lines without their ends
    std::vector<std::string> fresh;
  };
  struct File {
    std::string path;
    std::vector<Hunk> hunks;
  };
  std::vector<File> files;
};

/// Nothing, and one sentence that names the patch's line, when it is none.
std::optional<Patch> parse_patch(const std::string& name, const std::string& text,
                                 std::string* error);

/// Other text for a span of a file.
struct Change {
  Span span;
  std::string text;
  uint32_t line; ///< of the patch
};

/// Where the hunks change `text`, in order. Nothing, and one sentence, when one does not fit.
std::optional<std::vector<Change>> find_changes(const Patch& patch, const Patch::File& file,
                                                const std::string& text, std::string* error);

/// Sites for the functions that the changes lie in: kNamed, with the number `named`. Nothing, and
/// one sentence, when a change lies elsewhere.
std::optional<std::vector<Site>> patched_bodies(const Patch& patch,
                                                const std::vector<Change>& changes,
                                                const SourceFile& file, int named,
                                                std::string* error);

} // namespace kiln::mutants
