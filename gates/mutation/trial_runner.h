#pragma once
// Hands trials to workers, as many at a time as there may be. A worker serves one trial after
// another; a trial that arms before the boot has one for itself.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gates/mutation/trial.h"
#include "gates/worker/pool.h"

namespace kiln::gates {

class TrialRunner {
 public:
  TrialRunner(Pool& pool, unsigned jobs) : pool_(pool), places_(jobs) {}

  /// Makes a trial when its turn has come: plans are large, and many wait.
  using Make = std::function<std::unique_ptr<Trial>()>;
  /// Trials begin in the order in which they were added.
  void add(Make make) { waiting_.push_back(std::move(make)); }
  /// Runs them all; `finished` gets each as it ends, `waits` is called in between. Ends early, with
  /// what is under way thrown away, when `stop` says so or the runner fails (trouble()).
  void run(const std::function<void(Trial&)>& finished, const std::function<void()>& waits,
           const std::function<bool()>& stop);
  const std::string& trouble() const { return pool_.trouble(); }

 private:
  /// A processor's worth of work.
  struct PlaceOfWork {
    WorkerProcess* worker = nullptr;
    bool own = false; ///< the worker belongs to the trial
    std::unique_ptr<Trial> trial;
  };
  /// may_drop: false while the pool is in the middle of something with the place's worker.
  void serve(PlaceOfWork& place, const std::function<void(Trial&)>& finished, bool may_drop);
  void forget_gone();
  /// The trial that is to begin next; null when there is none.
  const Trial* next();
  bool give_worker(PlaceOfWork& place);
  void drop_worker(PlaceOfWork& place);
  bool idle() const;

  Pool& pool_;
  std::vector<PlaceOfWork> places_;
  std::deque<Make> waiting_;
  std::unique_ptr<Trial> next_; ///< comes before those that wait
};

} // namespace kiln::gates
