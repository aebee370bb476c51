#pragma once
// A table of mutants, results and sources made by hand, for the tests of the reports.

#include <filesystem>
#include <string>
#include <vector>

#include "gates/mutation/results.h"

namespace kiln::gates {

struct ReportSample {
  std::vector<sim::Mutant> mutants;
  std::vector<sim::UnmadeMutant> unmade;
  std::vector<sim::NamedMutant> named;
  MutationReport report;

  sim::MutantTable table() const { return {mutants, unmade, named}; }
};

inline constexpr const char* kSampleFile = "kernel-src/boot/a.cpp";
inline constexpr const char* kAbsentFile = "kernel-src/lib/gone.cpp";
/// Line 4 has a character of two bytes and one of four before the mutant.
inline constexpr const char* kSampleSource = "int f(int n) {\n"
                                             "  if (n < 3) return -1;\n"
                                             "  stop(n);\n"
                                             "  say(\"\u00e9\U0001F600\"); n = 1;\n"
                                             "  return n;\n"
                                             "}\n";

/// Twelve mutants: one of each verdict, one more killed by a hang, and one each of the catalogue
/// and of the harness.
ReportSample report_sample();

/// A checkout with kSampleFile in it; gone with the object.
class SampleTree {
 public:
  SampleTree();
  ~SampleTree();
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

} // namespace kiln::gates
