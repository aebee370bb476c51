#pragma once
// Mutants counted: by folder, file and operator. What all reports of a mutation run share.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gates/mutation/results.h"

namespace kiln::gates {

inline constexpr size_t kVerdicts = static_cast<size_t>(Verdict::kPending) + 1;

struct Tally {
  std::array<uint64_t, kVerdicts> by_verdict{};
  uint64_t not_compiled = 0; ///< places of which no mutant could be made; not among `made`

  uint64_t of(Verdict verdict) const { return by_verdict[static_cast<size_t>(verdict)]; }
  uint64_t made() const;
  uint64_t killed() const { return of(Verdict::kKilled); }
  uint64_t survived() const;
};

/// Killed of those that count, in thousandths, rounded down: 1000 says that all were. -1: none
/// counts.
int score_permille(const Tally& tally);
/// "96.4 %"; "-" when none counts.
std::string score_text(const Tally& tally);

struct TallyRow {
  std::string name;
  Tally tally;
};

/// Of the kernel's mutants; the catalogue and the harness have tables of their own.
struct Tallies {
  Tally all;
  std::vector<TallyRow> folders; ///< by name, as are the others
  std::vector<TallyRow> files;   ///< names are paths from the top of the checkout
  std::vector<TallyRow> operators;
};
Tallies tally_of(const MutationReport& report, const sim::MutantTable& table);

/// The part before the last '/'; "." when there is none.
std::string folder_of(std::string_view path);

/// A result and the mutant it is of.
struct Outcome {
  const MutantResult* result;
  const sim::Mutant* mutant;
};
/// The results of mutants of that kind, in the report's order. Results whose number is not in the
/// table (it is another program's) are left out.
std::vector<Outcome> outcomes_of_kind(const MutationReport& report, const sim::MutantTable& table,
                                      sim::MutantKind kind);
/// The kernel's, then the catalogue's.
std::vector<Outcome> outcomes_without_harness(const MutationReport& report,
                                              const sim::MutantTable& table);

/// Places that could not be switched, of the files that the run looked at: of all files when it has
/// a result for every mutant of the kernel.
std::vector<const sim::UnmadeMutant*> unmade_of(const MutationReport& report,
                                                const sim::MutantTable& table);

/// Whether an entry of the catalogue was found by its target within its inputs.
enum class NamedEnd : uint8_t { kFound, kTooLate, kMissed, kNotRun };
struct NamedOutcome {
  const sim::NamedMutant* named;
  const MutantResult* result;
  NamedEnd end = NamedEnd::kNotRun;
  uint64_t inputs = 0; ///< its target's, until found or in all
};
/// Of those in the report, in the table's order.
std::vector<NamedOutcome> named_outcomes(const MutationReport& report,
                                         const sim::MutantTable& table);
std::string_view named_end_words(NamedEnd end);

/// What is said of a part of the harness beside its numbers; "" when they say it all.
std::string harness_words(const HarnessResult& part);

/// "not-noticed": for files.
std::string_view verdict_name(Verdict verdict);
/// "not noticed": for people.
std::string_view verdict_words(Verdict verdict);
/// "2 113 visits, 4 different": what was seen of a mutant that was tried.
std::string seen_words(const MutantResult& result, const sim::Mutant& mutant);
/// One sentence: what it says about the gate. "" for what is no survivor.
std::string_view verdict_meaning(Verdict verdict);
/// The kinds of survivors, the gravest first: the order in which they are listed.
inline constexpr Verdict kSurvivorVerdicts[] = {Verdict::kNotNoticed, Verdict::kNotDifferent,
                                                Verdict::kNotReached};

} // namespace kiln::gates
