#pragma once
// What happens to a finding between its discovery and its files: is it known, is it a new one, does
// it show again alone, what is its tape, how small can that be; then it is saved and printed.

#include <functional>
#include <map>
#include <string>

#include "gates/cli/settings.h"
#include "gates/desk/bundle.h"
#include "gates/desk/confirm.h"
#include "gates/desk/joined_finding.h"
#include "gates/finding/found.h"
#include "gates/finding/identity.h"
#include "gates/finding/known.h"
#include "gates/finding/run_summary.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

/// What a summary says of a finding, without its files.
FindingLine line_of(const Found& found, const Identity& identity);

class FindingDesk {
 public:
  FindingDesk(const Settings& settings, Pool& pool, KnownFindings known);

  /// Whether the user knows it and wants no word of it.
  bool is_silenced(const sim::Finding& finding);

  /// Deals with a finding of `target`. The first of its identity is confirmed, recorded, shrunk,
  /// saved and printed; later ones only count. Lowest iteration first.
  void take(Found found);
  /// A rule that several inputs of `target` and others break together.
  void take_joined(const sim::Target* target, const JoinedCycle& cycle, sim::StrategyKind strategy);
  /// The findings of a target, in the order taken. `seen`: inputs by finding key.
  std::vector<FindingLine> lines_of(const sim::Target* target,
                                    const std::map<uint64_t, uint64_t>& seen) const;

  /// Why findings could not be dealt with as they should, one sentence each.
  const std::vector<std::string>& trouble() const { return trouble_; }
  std::vector<std::string> unused_known() const { return known_.unused(); }
  Symbolizer& symbolizer() { return symbolizer_; }

 private:
  struct Entry {
    const sim::Target* target;
    std::string identity;
    FindingLine line;
    std::vector<uint64_t> keys; ///< finding keys that have this identity
  };
  FindingLine deal_with(Found& found, const Identity& identity);
  void shrink_tape(Found& found, const Identity& identity, TraceLog& trace);
  FindingLine save_and_print(const Found& found, const Identity& identity, const TraceLog& trace);
  Bundle bundle_of(const Found& found, const Identity& identity, const std::string& stem);

  std::string part_line(const JoinedCycle::Part& part);
  std::string joined_text(const FindingLine& line, const JoinedFinding& joined,
                          const JoinedCycle& cycle, const Identity& identity);
  void save_joined_tapes(const std::vector<JoinedTape>& tapes,
                         const std::vector<std::string>& names, FindingLine& line);
  void save_beside(const std::string& path, const std::string& text, FindingLine& line);
  FindingLine save_joined(const Found& found, const JoinedFinding& joined, const JoinedCycle& cycle,
                          const Identity& identity);
  /// Tells findings of this identity; refers to the desk.
  std::function<bool(const sim::Finding&)> same_as(const Identity& identity);
  bool seen_before(const sim::Target* target, const std::string& identity, uint64_t key);

  const Settings& settings_;
  Lab lab_;
  Symbolizer symbolizer_;
  KnownFindings known_;
  std::vector<Entry> entries_;
  std::vector<std::string> trouble_;
  Pool& pool_;
};

} // namespace kiln::gates
