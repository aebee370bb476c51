#pragma once
// The list of all mutants, as a source of the program that they are in and as JSON.

#include <string>
#include <vector>

#include "mutants/rewrite/rewrite.h"

namespace kiln::mutants {

struct TableRow {
  const SourceFile* file = nullptr; ///< of the first site
  struct At {
    const SourceFile* file;
    const Site* site;
  };
  std::vector<At> sites; ///< one; of a named mutant one for each function that it changes
  size_t variant = 0;    ///< index
  bool judged = true;
  std::string kind; ///< "kKernel", as in sim/mutants.h
  std::string oper;
  std::string original;
  std::string replacement;
};

/// By path, position, operator and variant; named mutants behind the others, by name.
std::vector<TableRow> table_rows(const Rewritten& rewritten, const std::vector<Patch>& patches,
                                 const Subject& subject);

/// mutant_table.cpp: defines kiln_mutant_table (sim/mutants.h).
std::string table_source(const Rewritten& rewritten, const std::vector<TableRow>& rows,
                         const std::vector<Patch>& patches);

/// mutants.json: the same for people and scripts, with the plain edits that make each mutant.
std::string table_json(const Rewritten& rewritten, const std::vector<TableRow>& rows,
                       const std::vector<Patch>& patches);

} // namespace kiln::mutants
