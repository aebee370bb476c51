#include "gates/mutation/trial_runner.h"

#include <algorithm>

namespace kiln::gates {

namespace {

constexpr std::chrono::milliseconds kStep{50};

} // namespace

void TrialRunner::run(const std::function<void(Trial&)>& finished,
                      const std::function<void()>& waits, const std::function<bool()>& stop) {
  // A worker that has answered gets its next trial at once, not at the end of the step.
  pool_.set_idle([&](WorkerProcess& worker) {
    for (PlaceOfWork& place : places_) {
      if (place.worker == &worker && !place.own) serve(place, finished, false);
    }
  });
  while (!stop() && trouble().empty()) {
    forget_gone();
    for (PlaceOfWork& place : places_)
      serve(place, finished, true);
    if (idle()) break;
    pool_.step(kStep);
    waits();
  }
  for (PlaceOfWork& place : places_) {
    drop_worker(place);
    place.trial.reset();
  }
  pool_.set_idle({});
}

// Before any worker is started, which might get the address of one that is gone.
void TrialRunner::forget_gone() {
  for (PlaceOfWork& place : places_) {
    if (place.worker != nullptr && !pool_.has(place.worker)) place.worker = nullptr;
  }
}

void TrialRunner::serve(PlaceOfWork& place, const std::function<void(Trial&)>& finished,
                        bool may_drop) {
  if (place.trial != nullptr && place.trial->finished()) {
    std::unique_ptr<Trial> ended = std::move(place.trial);
    if (place.own) drop_worker(place);
    finished(*ended);
  }
  if (place.worker != nullptr && place.worker->busy()) return;
  if (place.trial == nullptr && next() != nullptr && (may_drop || !next()->plan().boots_armed)) {
    place.trial = std::move(next_);
  }
  if (place.trial == nullptr || !give_worker(place)) return;
  place.trial->run_in(*place.worker);
  // Nothing to try: it has ended without a word to the worker.
  if (place.trial->finished()) serve(place, finished, may_drop);
}

const Trial* TrialRunner::next() {
  if (next_ == nullptr && !waiting_.empty()) {
    next_ = waiting_.front()();
    waiting_.pop_front();
  }
  return next_.get();
}

bool TrialRunner::give_worker(PlaceOfWork& place) {
  bool own = place.trial->plan().boots_armed;
  if (place.worker != nullptr && (own || place.own)) drop_worker(place);
  if (place.worker == nullptr) {
    place.worker = pool_.start(own ? place.trial->boot_plan() : BootPlan{});
    place.own = own;
  }
  return place.worker != nullptr;
}

void TrialRunner::drop_worker(PlaceOfWork& place) {
  if (place.worker != nullptr && pool_.has(place.worker)) pool_.drop(place.worker);
  place.worker = nullptr;
  place.own = false;
}

bool TrialRunner::idle() const {
  return waiting_.empty() && next_ == nullptr &&
         std::all_of(places_.begin(), places_.end(),
                     [](const auto& place) { return place.trial == nullptr; });
}

} // namespace kiln::gates
