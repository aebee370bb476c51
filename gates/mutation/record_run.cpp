#include "gates/mutation/record_run.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

namespace kiln::gates {

namespace {

constexpr std::chrono::milliseconds kStep{50};
constexpr uint64_t kChunk = 1024;
constexpr unsigned kMostFailures = 3;

struct Chunk {
  const sim::Target* target;
  uint64_t begin;
  uint64_t end;
  unsigned failures = 0;
};

std::string cache_file(const std::string& folder, const sim::Target& target) {
  std::string name = target.info().name;
  std::replace(name.begin(), name.end(), '/', '-');
  return folder + "/" + name + ".bin";
}

std::string identity_of(const RecordPlan& plan, const sim::Target& target) {
  return fmt::format("{} {} {} {}", plan.identity, target.info().name, plan.seed,
                     sim::strategy_name(plan.strategy));
}

/// One of as many inputs, or of more: what it says of the further ones is left out.
bool read_whole(const RecordPlan& plan, const sim::Target& target, Recording* recording) {
  Recording read;
  bool there = read_recording(cache_file(plan.folder, target), identity_of(plan, target), &read);
  if (!there || read.inputs < plan.inputs) return false;
  read.cut(plan.inputs);
  *recording = std::move(read);
  return true;
}

class RecordRun : public JobClient {
 public:
  RecordRun(Pool& pool, const RecordPlan& plan, Recordings& into)
      : pool_(pool), plan_(plan), into_(into) {}

  void add(const sim::Target& target) {
    for (uint64_t i = 0; i < plan_.inputs; i += kChunk)
      waiting_.push_back({&target, i, std::min(i + kChunk, plan_.inputs)});
    inputs_ += plan_.inputs;
  }

  void run(const std::function<void(uint64_t, uint64_t)>& progress,
           const std::function<bool()>& stop) {
    pool_.set_idle([this](WorkerProcess& worker) { feed(worker); });
    while (!stop() && into_.trouble.empty() && pool_.trouble().empty()) {
      keep_workers();
      if (workers_.empty() && waiting_.empty()) break;
      pool_.step(kStep);
      progress(done_, inputs_);
      if (waiting_.empty() && out_.empty()) break;
    }
    pool_.set_idle({});
    for (WorkerProcess* worker : workers_) {
      if (pool_.has(worker)) pool_.drop(worker);
    }
    if (into_.trouble.empty()) into_.trouble = pool_.trouble();
  }

 private:
  void keep_workers() {
    std::erase_if(workers_, [&](WorkerProcess* worker) { return !pool_.has(worker); });
    while (workers_.size() < plan_.jobs && waiting_.size() > out_.size()) {
      BootPlan boot;
      boot.record = true;
      WorkerProcess* worker = pool_.start(boot);
      if (worker == nullptr) return;
      workers_.push_back(worker);
    }
    for (WorkerProcess* worker : workers_)
      feed(*worker);
  }

  void feed(WorkerProcess& worker) {
    if (worker.busy() || waiting_.empty()) return;
    Chunk chunk = waiting_.front();
    waiting_.pop_front();
    out_[&worker] = chunk;
    RecordJob job{chunk.target, plan_.seed, chunk.begin, chunk.end, plan_.strategy};
    worker.ask(MessageKind::kRecordJob, job, *this);
  }

  void on_done(WorkerProcess& worker, const Message& answer) override {
    Chunk chunk = out_.at(&worker);
    out_.erase(&worker);
    RecordDone done;
    if (!unpack(answer.bytes, &done)) {
      into_.trouble = "A worker's answer was not whole.";
      return;
    }
    done_ += chunk.end - chunk.begin;
    into_.generation = worker.boot().generation;
    into_.by_target[chunk.target].add(chunk.begin, done);
    into_.by_target[chunk.target].boot_edges = worker.boot().lock_edges;
  }

  void on_end(WorkerProcess& worker, const WorkerEnd& end) override {
    Chunk chunk = out_.at(&worker);
    out_.erase(&worker);
    bool outside = killed_from_outside(end.death, worker.slot().note);
    if (end.in_input && !outside) {
      into_.trouble =
          fmt::format("Input {} of '{}' ends its process without any mutant: mend that first "
                      "(run the gate).",
                      worker.slot().iteration, chunk.target->info().name);
    } else if (++chunk.failures < kMostFailures) {
      waiting_.push_front(chunk);
    } else {
      into_.trouble = end.trouble.empty()
                          ? "A worker was killed from outside, again and again, while it recorded: "
                            "is the host short of memory?"
                          : end.trouble;
    }
  }

  Pool& pool_;
  const RecordPlan& plan_;
  Recordings& into_;
  std::deque<Chunk> waiting_;
  std::map<WorkerProcess*, Chunk> out_;
  std::vector<WorkerProcess*> workers_;
  uint64_t done_ = 0;
  uint64_t inputs_ = 0;
};

} // namespace

int64_t recorded_fuel(const std::string& folder, const std::string& identity,
                      const sim::Target& target) {
  Recording recording;
  std::string of = identity + " " + target.info().name + " ";
  bool there = read_recording(cache_file(folder, target), of, &recording);
  return there ? recording.loop_fuel() : 0;
}

Recordings record_targets(Pool& pool, const RecordPlan& plan,
                          const std::function<void(uint64_t, uint64_t)>& progress,
                          const std::function<bool()>& stop) {
  Recordings recordings;
  RecordRun run(pool, plan, recordings);
  std::vector<const sim::Target*> fresh;
  for (const sim::Target* target : plan.targets) {
    Recording& recording = recordings.by_target[target];
    if (read_whole(plan, *target, &recording)) {
      recordings.generation = recording.generation;
      continue;
    }
    fresh.push_back(target);
    run.add(*target);
  }
  if (fresh.empty()) return recordings;
  run.run(progress, stop);
  if (!recordings.trouble.empty() || stop()) return recordings;
  for (const sim::Target* target : fresh) {
    Recording& recording = recordings.by_target[target];
    recording.inputs = plan.inputs;
    recording.generation = recordings.generation;
    std::string error;
    if (!write_recording(cache_file(plan.folder, *target), identity_of(plan, *target), recording,
                         &error)) {
      recordings.trouble = error;
    }
  }
  return recordings;
}

} // namespace kiln::gates
