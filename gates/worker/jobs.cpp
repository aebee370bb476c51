#include "gates/worker/jobs.h"

#include <tuple>
#include <unordered_map>

namespace kiln::gates {

template <> struct Packed<RangeJob> {
  static constexpr std::tuple fields{&RangeJob::target,  &RangeJob::seed,     &RangeJob::begin,
                                     &RangeJob::end,     &RangeJob::strategy, &RangeJob::keep_going,
                                     &RangeJob::silenced};
};

template <> struct Packed<SingleJob> {
  static constexpr std::tuple fields{&SingleJob::target,    &SingleJob::origin, &SingleJob::seed,
                                     &SingleJob::iteration, &SingleJob::bytes,  &SingleJob::name,
                                     &SingleJob::strategy,  &SingleJob::judge,  &SingleJob::details,
                                     &SingleJob::record,    &SingleJob::trace,  &SingleJob::tail,
                                     &SingleJob::artefact};
};

template <> struct Packed<sim::TapeRecord> {
  static constexpr std::tuple fields{&sim::TapeRecord::spans, &sim::TapeRecord::draws};
};

// Without its trace, whose events point at texts.
template <> struct Packed<SingleDone> {
  static constexpr std::tuple fields{
      &SingleDone::found,        &SingleDone::finding,    &SingleDone::digest,
      &SingleDone::points,       &SingleDone::switches,   &SingleDone::clock_ns,
      &SingleDone::allocations,  &SingleDone::tape,       &SingleDone::spans,
      &SingleDone::lock_edges,   &SingleDone::trace_tail, &SingleDone::words,
      &SingleDone::has_artefact, &SingleDone::artefact,   &SingleDone::exhibits};
};

template <> struct Packed<VisitedSite> {
  static constexpr std::tuple fields{&VisitedSite::site, &VisitedSite::inputs};
};

template <> struct Packed<RecordedFact> {
  static constexpr std::tuple fields{&RecordedFact::edge, &RecordedFact::inputs};
};

template <> struct Packed<RecordDone> {
  static constexpr std::tuple fields{&RecordDone::sites,     &RecordDone::boot_sites,
                                     &RecordDone::boot_fuel, &RecordDone::hungriest,
                                     &RecordDone::findings,  &RecordDone::facts};
};

template <> struct Packed<TryPart> {
  static constexpr std::tuple fields{&TryPart::target, &TryPart::inputs, &TryPart::loop_fuel};
};

template <> struct Packed<TryJob> {
  static constexpr std::tuple fields{&TryJob::mutants,     &TryJob::seed,      &TryJob::strategy,
                                     &TryJob::cpu_seconds, &TryJob::rules_off, &TryJob::original,
                                     &TryJob::parts};
};

template <> struct Packed<TryDone> {
  static constexpr std::tuple fields{&TryDone::failed,    &TryDone::found,  &TryDone::part,
                                     &TryDone::iteration, &TryDone::digest, &TryDone::visits,
                                     &TryDone::differs,   &TryDone::died,   &TryDone::finding,
                                     &TryDone::tape,      &TryDone::words,  &TryDone::facts};
};

template <> struct Packed<Fence> {
  static constexpr std::tuple fields{&Fence::name, &Fence::up, &Fence::trouble};
};

template <> struct Packed<Booted> {
  static constexpr std::tuple fields{&Booted::ok,         &Booted::error,      &Booted::finding,
                                     &Booted::generation, &Booted::lock_edges, &Booted::visits,
                                     &Booted::differs,    &Booted::fences};
};

namespace {

// An event's text may lie in the worker's memory: texts go along, and events name them by number.
constexpr uint64_t kNoText = UINT64_MAX;

void put_trace(Packer& to, const TraceLog& log) {
  std::vector<std::string> texts;
  std::unordered_map<std::string, uint64_t> numbers;
  std::vector<uint64_t> text_of;
  for (const sim::TraceEvent& event : log.events) {
    if (event.text == nullptr) {
      text_of.push_back(kNoText);
      continue;
    }
    auto [it, fresh] = numbers.try_emplace(event.text, texts.size());
    if (fresh) texts.push_back(it->first);
    text_of.push_back(it->second);
  }
  to.put(log.events);
  to.put(text_of);
  to.put(texts);
  to.put(log.task_names);
}

void get_trace(Unpacker& from, TraceLog* log) {
  from.get(&log->events);
  auto text_of = from.get<std::vector<uint64_t>>();
  from.get(&log->texts);
  for (size_t i = 0; i < log->events.size(); ++i) {
    bool known = i < text_of.size() && text_of[i] < log->texts.size();
    log->events[i].text = known ? log->texts[text_of[i]].c_str() : nullptr;
  }
  from.get(&log->task_names);
}

template <typename T> bool unpack_whole(const std::vector<uint8_t>& bytes, T* value) {
  Unpacker from(bytes);
  from.get(value);
  return !from.failed();
}

} // namespace

void pack(Packer& to, const RangeJob& job) { to.put(job); }
void pack(Packer& to, const SingleJob& job) { to.put(job); }
void pack(Packer& to, const RecordJob& job) { to.put(job); }
void pack(Packer& to, const TryJob& job) { to.put(job); }
void pack(Packer& to, const RangeDone& done) { to.put(done); }
void pack(Packer& to, const RecordDone& done) { to.put(done); }
void pack(Packer& to, const TryDone& done) { to.put(done); }
void pack(Packer& to, const Booted& booted) { to.put(booted); }
void pack(Packer& to, const SingleDone& done) {
  to.put(done);
  put_trace(to, done.trace);
}

bool unpack(const std::vector<uint8_t>& from, RangeJob* job) { return unpack_whole(from, job); }
bool unpack(const std::vector<uint8_t>& from, SingleJob* job) { return unpack_whole(from, job); }
bool unpack(const std::vector<uint8_t>& from, RecordJob* job) { return unpack_whole(from, job); }
bool unpack(const std::vector<uint8_t>& from, TryJob* job) { return unpack_whole(from, job); }
bool unpack(const std::vector<uint8_t>& from, RangeDone* done) { return unpack_whole(from, done); }
bool unpack(const std::vector<uint8_t>& from, RecordDone* done) { return unpack_whole(from, done); }
bool unpack(const std::vector<uint8_t>& from, TryDone* done) { return unpack_whole(from, done); }
bool unpack(const std::vector<uint8_t>& from, Booted* booted) { return unpack_whole(from, booted); }
bool unpack(const std::vector<uint8_t>& bytes, SingleDone* done) {
  Unpacker from(bytes);
  from.get(done);
  get_trace(from, &done->trace);
  return !from.failed();
}

} // namespace kiln::gates
