#include "gates/run/range_run.h"

#include <algorithm>

#include "gates/finding/finding_key.h"
#include "gates/support/digest_fold.h"
#include "gates/worker/lab.h"

namespace kiln::gates {

namespace {

constexpr double kChunkSeconds = 0.15;
constexpr uint64_t kFirstChunk = 16;
constexpr uint64_t kLargestChunk = 1 << 16;
constexpr unsigned kMostFailures = 3;

} // namespace

RangeRun::RangeRun(const RangePlan& plan, std::function<bool(const sim::Finding&)> silenced)
    : plan_(plan), ask_silenced_(std::move(silenced)), ledger_(plan.begin, plan.end) {}

uint64_t RangeRun::chunk_size() const {
  if (inputs_per_second_ == 0) return kFirstChunk;
  auto size = static_cast<uint64_t>(inputs_per_second_ * kChunkSeconds);
  // Towards the end in smaller pieces, so that all workers end together.
  uint64_t left = ledger_.limit() - std::min(ledger_.limit(), ledger_.next());
  size = std::min(size, left / (2 * plan_.jobs) + 1);
  return std::clamp<uint64_t>(size, 1, kLargestChunk);
}

bool RangeRun::feed(WorkerProcess& worker) {
  std::optional<Chunk> chunk = ledger_.take(chunk_size());
  if (!chunk.has_value()) return false;
  if (!started_) begin_ = Clock::now();
  started_ = true;
  RangeJob job;
  job.target = plan_.target;
  job.seed = plan_.seed;
  job.begin = chunk->begin;
  job.end = chunk->end;
  job.strategy = plan_.strategy;
  job.keep_going = plan_.keep_going;
  for (const auto& [key, silenced] : silenced_by_key_) {
    if (silenced) job.silenced.push_back(key);
  }
  std::sort(job.silenced.begin(), job.silenced.end());
  out_[&worker] = {*chunk, Clock::now(), worker.cpu_time()};
  worker.ask(MessageKind::kRangeJob, job, *this);
  return true;
}

void RangeRun::tick(Clock::time_point now) {
  if (started_ && now - begin_ >= plan_.time) close();
}

void RangeRun::interrupt() {
  interrupted_ = interrupted_ || !finished();
  close();
}

void RangeRun::fail(const std::string& trouble) {
  if (failed_ || finished()) return;
  failed_ = true;
  trouble_.push_back(trouble);
  close();
  if (!started_) begin_ = Clock::now();
  end_ = Clock::now();
}

void RangeRun::close() {
  ledger_.close();
  for (auto& [worker, out] : out_)
    worker->slot().stop_at = 0;
}

void RangeRun::on_done(WorkerProcess& worker, const Message&) {
  Out out = take_out(worker);
  Part part = part_of(worker, out.chunk);
  for (const RangeFinding& finding : part.findings) {
    // Stopped in the middle of anything: that process may hold a lock of the host's libraries.
    if (finding.finding.rule == sim::Rule::kHang) worker.retire();
  }
  settle(out, std::move(part));
}

void RangeRun::on_end(WorkerProcess& worker, const WorkerEnd& end) {
  Out out = take_out(worker);
  Part part = part_of(worker, out.chunk);
  if (!end.in_input) {
    if (++failures_ >= kMostFailures) fail(end.trouble);
  } else if (!outside_kill_forgiven(worker, end)) {
    add_death(part, worker, end);
  }
  settle(out, std::move(part));
}

// Once an input; if it happens again the input is to blame.
bool RangeRun::outside_kill_forgiven(WorkerProcess& worker, const WorkerEnd& end) {
  if (!killed_from_outside(end.death, worker.slot().note)) return false;
  if (!killed_at_.insert(worker.slot().iteration).second) return false;
  trouble_.push_back("A worker was killed from outside; its inputs were run again.");
  return true;
}

RangeRun::Out RangeRun::take_out(WorkerProcess& worker) {
  Out out = out_.at(&worker);
  out_.erase(&worker);
  if (worker.pid() > 0) cpu_ += worker.cpu_time() - out.cpu;
  return out;
}

Part RangeRun::part_of(WorkerProcess& worker, const Chunk& chunk) const {
  const WorkerSlot& slot = worker.slot();
  Part part;
  part.begin = chunk.begin;
  // A worker that ended before it began has left nothing of this chunk.
  if (slot.begin != chunk.begin) {
    part.end = chunk.begin;
    return part;
  }
  part.end = std::clamp(slot.reached, chunk.begin, chunk.end);
  part.fold = slot.fold;
  unsigned count = std::min(slot.finding_count, kChunkFindings);
  part.findings.assign(slot.findings, slot.findings + count);
  unsigned facts = std::min(slot.fact_count, kChunkFacts);
  part.facts.assign(slot.facts, slot.facts + facts);
  part.probes.resize(sim::Probe::count());
  for (size_t i = 0; i < part.probes.size(); ++i) {
    // What the input under way hit before its process died has not been noted.
    part.probes[i] = {slot.probes[i], std::min(slot.probes_first[i], slot.iteration)};
  }
  return part;
}

void RangeRun::add_death(Part& part, WorkerProcess& worker, const WorkerEnd& end) {
  sim::Finding finding = finding_of_end(end, worker.slot().note);
  uint64_t iteration = worker.slot().iteration;
  uint64_t key = finding_key(finding);
  part.end = iteration + 1;
  DigestFold fold;
  fold.join(part.fold);
  fold.add(iteration, static_cast<uint64_t>(finding.rule));
  part.fold = fold.value();
  deaths_.try_emplace(key, DeathWords{end.words, death_signal(end.death)});
  auto same = std::find_if(part.findings.begin(), part.findings.end(),
                           [&](const RangeFinding& each) { return each.key == key; });
  if (same != part.findings.end()) {
    ++same->seen;
  } else {
    part.findings.push_back({key, iteration, 0, 1, finding});
  }
}

void RangeRun::settle(const Out& out, Part part) {
  learn_speed(out, part.end - part.begin);
  uint64_t stop = UINT64_MAX;
  for (const RangeFinding& finding : part.findings) {
    if (!plan_.keep_going && !is_silenced(finding)) stop = std::min(stop, finding.iteration);
  }
  ledger_.give_back(out.chunk, std::move(part), stop);
  if (stop != UINT64_MAX) recall_above();
  if (finished()) end_ = Clock::now();
}

void RangeRun::recall_above() {
  stopped_ = true;
  for (auto& [worker, out] : out_)
    worker->slot().stop_at = ledger_.limit();
}

bool RangeRun::is_silenced(const RangeFinding& finding) {
  auto known = silenced_by_key_.find(finding.key);
  if (known == silenced_by_key_.end()) {
    known = silenced_by_key_.emplace(finding.key, ask_silenced_(finding.finding)).first;
  }
  return known->second;
}

void RangeRun::learn_speed(const Out& out, uint64_t inputs) {
  double seconds = std::chrono::duration<double>(Clock::now() - out.since).count();
  if (inputs == 0 || seconds <= 0) return;
  double speed = static_cast<double>(inputs) / seconds;
  inputs_per_second_ = inputs_per_second_ == 0 ? speed : (inputs_per_second_ + speed) / 2;
}

std::string RangeRun::words_of(uint64_t key) const {
  auto found = deaths_.find(key);
  return found == deaths_.end() ? "" : found->second.words;
}

int RangeRun::signal_of(uint64_t key) const {
  auto found = deaths_.find(key);
  return found == deaths_.end() ? 0 : found->second.signal;
}

double RangeRun::seconds(Clock::time_point now) const {
  if (!started_) return 0;
  return std::chrono::duration<double>((finished() ? end_ : now) - begin_).count();
}

TargetSummary RangeRun::summary() const {
  TargetSummary summary;
  summary.target = plan_.target;
  summary.inputs = totals().inputs;
  summary.seconds = seconds(Clock::now());
  summary.cpu_seconds = std::chrono::duration<double>(cpu_).count();
  summary.digest = totals().fold;
  summary.trouble = trouble_;
  summary.end = failed_        ? TargetEnd::kFailed
                : stopped_     ? TargetEnd::kStopped
                : interrupted_ ? TargetEnd::kInterrupted
                               : TargetEnd::kDone;
  return summary;
}

} // namespace kiln::gates
