#include "gates/mutation/harness.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "gates/mutation/trial_runner.h"
#include "gates/run/progress.h"
#include "gates/support/interrupt.h"
#include "gates/support/screen.h"

namespace kiln::gates {

namespace {

constexpr char kDropOracle[] = "drop-oracle";
// A part with thousands of kills is judged by some of them: each may cost a whole budget.
constexpr size_t kOfAnOracle = 8;
constexpr size_t kOfAChoice = 4;
constexpr size_t kOfARule = 64;
constexpr size_t kOfStrategies = 256;
constexpr sim::StrategyKind kStrategies[] = {
    sim::StrategyKind::kInOrder, sim::StrategyKind::kRandomWalk, sim::StrategyKind::kPct};

/// A question: is this kill still one without the part?
struct Question {
  std::string part;
  std::string target;
  uint32_t kill;
};

using Kills = std::vector<const MutantResult*>;

/// At most so many, from all over the list.
Kills sample(const Kills& all, size_t most) {
  Kills some;
  size_t step = all.size() / most + (all.size() % most != 0);
  for (size_t i = 0; i < all.size(); i += step)
    some.push_back(all[i]);
  return some;
}

/// Rules of which an input dies whether or not they are judged.
bool ends_the_input(sim::Rule rule) {
  return rule == sim::Rule::kUndefined || rule == sim::Rule::kAddress ||
         rule == sim::Rule::kCrash || rule == sim::Rule::kStackOverflow || rule == sim::Rule::kHang;
}

/// "path:12" -> path and 12.
bool split_place(std::string_view place, std::string_view* path, uint32_t* line) {
  size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return false;
  *path = place.substr(0, colon);
  const char* end = place.data() + place.size();
  return std::from_chars(place.data() + colon + 1, end, *line).ec == std::errc();
}

std::string strategy_part(sim::StrategyKind strategy) {
  return fmt::format("strategy {}", sim::strategy_name(strategy));
}

class HarnessRun {
 public:
  HarnessRun(Pool& pool, const MutationRun& run) : run_(run), runner_(pool, run.plan().jobs) {
    for (const MutantResult& result : run.report().results) {
      if (result.verdict == Verdict::kKilled) kills_.push_back(&result);
    }
  }

  /// What few kills say much about comes first.
  void ask_all() {
    ask_rules();
    ask_strategies();
    std::vector<uint32_t> choices;
    std::span<const sim::Mutant> mutants = sim::mutant_table().mutants;
    for (uint32_t number = 0; number < mutants.size(); ++number) {
      if (mutants[number].kind != sim::MutantKind::kHarness) continue;
      if (std::string_view(mutants[number].oper) == kDropOracle) {
        ask_without_oracle(number);
      } else {
        choices.push_back(number);
      }
    }
    for (uint32_t number : choices)
      ask_without_choice(number);
  }

  void answer() {
    size_t answered = 0;
    runner_.run(
        [&](Trial& trial) {
          ++answered;
          take(trial);
        },
        [&] {
          show_live_line(
              fmt::format("harness: {} of {} questions", grouped(answered), grouped(asked_)));
        },
        gates::interrupted);
    show_live_line("");
  }

  std::vector<HarnessResult> results() {
    join_strategies();
    std::vector<HarnessResult> list;
    for (auto& [key, result] : results_) {
      std::sort(result.lost_mutants.begin(), result.lost_mutants.end());
      list.push_back(std::move(result));
    }
    return list;
  }
  const std::string& trouble() const { return runner_.trouble(); }

 private:
  void ask(const Question& question, std::function<TrialPlan()> plan) {
    ++asked_;
    ++result_of(question.part, question.target).untried;
    runner_.add([this, question, plan = std::move(plan)] {
      auto trial = std::make_unique<Trial>(plan());
      questions_[trial.get()] = question;
      return trial;
    });
  }

  void ask_without_oracle(uint32_t number) {
    const sim::Mutant& oracle = mutant_of(number);
    Kills own;
    for (const MutantResult* kill : kills_) {
      std::string_view path;
      uint32_t line = 0;
      bool here = split_place(kill->place, &path, &line) && path == oracle.path &&
                  line >= oracle.line && line <= oracle.end_line;
      if (here) own.push_back(kill);
    }
    for (const MutantResult* kill : sample(own, kOfAnOracle)) {
      // Inputs that do not reach the kernel's mutant find nothing with one check less.
      ask({fmt::format("oracle {}:{}", oracle.path, oracle.line), kill->target, kill->number},
          [this, kill, number] { return run_.trial_plan({kill->number}, {number}); });
    }
  }

  void ask_without_choice(uint32_t number) {
    const sim::Mutant& choice = mutant_of(number);
    auto site = static_cast<uint32_t>(sim::site_index(choice));
    Kills of_its_targets;
    for (const MutantResult* kill : kills_) {
      const sim::Target* target = sim::Target::find(kill->target);
      auto recording = run_.recordings().by_target.find(target);
      if (recording == run_.recordings().by_target.end()) continue;
      if (!recording->second.reaching_inputs(site).empty()) of_its_targets.push_back(kill);
    }
    for (const MutantResult* kill : sample(of_its_targets, kOfAChoice)) {
      // With another choice an input may come by that did not.
      ask({fmt::format("choice {}:{}:{}", choice.path, choice.line, choice.column), "",
           kill->number},
          [this, kill, number] {
            return only_target(run_.trial_plan({kill->number, number}), kill->target);
          });
    }
  }

  void ask_rules() {
    std::map<sim::Rule, Kills> by_rule;
    for (const MutantResult* kill : kills_) {
      if (!ends_the_input(kill->rule)) by_rule[kill->rule].push_back(kill);
    }
    for (const auto& [rule, kills] : by_rule) {
      for (const MutantResult* kill : sample(kills, kOfARule))
        ask_without_rule(*kill);
    }
  }

  void ask_without_rule(const MutantResult& kill) {
    ask({fmt::format("rule {}", sim::rule_name(kill.rule)), "", kill.number}, [this, &kill] {
      TrialPlan plan = run_.trial_plan({kill.number});
      plan.rules_off = uint64_t{1} << static_cast<unsigned>(kill.rule);
      return plan;
    });
  }

  // Which inputs reach a site has been recorded with the portfolio only: with another strategy all
  // of the killing target's are run.
  void ask_strategies() {
    if (run_.plan().strategy != sim::StrategyKind::kPortfolio) return;
    for (const MutantResult* kill : sample(kills_, kOfStrategies)) {
      for (sim::StrategyKind strategy : kStrategies) {
        ++by_strategy_[kill->number].open;
        ask({strategy_part(strategy), "", kill->number}, [this, kill, strategy] {
          TrialPlan plan = only_target(run_.trial_plan({kill->number}), kill->target);
          plan.strategy = strategy;
          for (TrialTarget& target : plan.targets)
            target.all = true;
          return plan;
        });
      }
    }
  }

  static TrialPlan only_target(TrialPlan plan, const std::string& name) {
    std::erase_if(plan.targets,
                  [&](const TrialTarget& each) { return name != each.target->info().name; });
    return plan;
  }

  void take(const Trial& trial) {
    Question question = questions_.extract(&trial).mapped();
    if (trial.failed()) return;
    if (trial.plan().strategy != run_.plan().strategy) {
      ByStrategy& answers = by_strategy_[question.kill];
      --answers.open;
      if (trial.found()) answers.found_by.insert(question.part);
      return;
    }
    HarnessResult& result = result_of(question.part, question.target);
    --result.untried;
    count(result, question.kill, !trial.found());
  }

  static void count(HarnessResult& result, uint32_t kill, bool lost) {
    ++result.kills;
    if (!lost) return;
    ++result.lost;
    result.lost_mutants.push_back(kill);
  }

  // Whether a strategy is alone in what it finds, only the answers of all say.
  void join_strategies() {
    for (const auto& [kill, answers] : by_strategy_) {
      if (answers.open != 0) continue;
      for (sim::StrategyKind strategy : kStrategies) {
        HarnessResult& result = result_of(strategy_part(strategy), "");
        --result.untried;
        if (answers.found_by.contains(result.part))
          count(result, kill, answers.found_by.size() == 1);
      }
    }
  }

  HarnessResult& result_of(const std::string& part, const std::string& target) {
    HarnessResult& result = results_[{part, target}];
    result.part = part;
    result.target = target;
    return result;
  }

  struct ByStrategy {
    size_t open = 0; ///< strategies that have not answered
    std::set<std::string> found_by;
  };

  const MutationRun& run_;
  TrialRunner runner_;
  Kills kills_;
  size_t asked_ = 0;
  std::unordered_map<const Trial*, Question> questions_; ///< of trials under way
  std::map<uint32_t, ByStrategy> by_strategy_;           ///< by kill
  std::map<std::pair<std::string, std::string>, HarnessResult> results_;
};

} // namespace

std::vector<HarnessResult> judge_harness(Pool& pool, const MutationRun& run, std::string* error) {
  HarnessRun harness(pool, run);
  harness.ask_all();
  harness.answer();
  *error = harness.trouble();
  return harness.results();
}

} // namespace kiln::gates
