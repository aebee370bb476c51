#include "gates/jobs.h"

#include <unordered_map>

namespace kiln::gates {

namespace {

void put_lines(Packer& to, const std::vector<std::string>& lines) {
  to.put<uint64_t>(lines.size());
  for (const std::string& line : lines)
    to.put_list(line);
}

std::vector<std::string> get_lines(Unpacker& from) {
  std::vector<std::string> lines;
  uint64_t count = from.get<uint64_t>();
  for (uint64_t i = 0; i < count && !from.failed(); ++i)
    lines.push_back(from.get_list<std::string>());
  return lines;
}

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
  to.put_list(log.events);
  to.put_list(text_of);
  put_lines(to, texts);
  put_lines(to, log.task_names);
}

TraceLog get_trace(Unpacker& from) {
  TraceLog log;
  log.events = from.get_list<std::vector<sim::TraceEvent>>();
  std::vector<uint64_t> text_of = from.get_list<std::vector<uint64_t>>();
  for (std::string& text : get_lines(from))
    log.texts.push_back(std::move(text));
  for (size_t i = 0; i < log.events.size(); ++i) {
    bool known = i < text_of.size() && text_of[i] < log.texts.size();
    log.events[i].text = known ? log.texts[text_of[i]].c_str() : nullptr;
  }
  log.task_names = get_lines(from);
  return log;
}

} // namespace

void pack(Packer& to, const RangeJob& job) {
  to.put(job.target);
  to.put(job.seed);
  to.put(job.begin);
  to.put(job.end);
  to.put(job.strategy);
  to.put(job.keep_going);
  to.put_list(job.silenced);
}

bool unpack(const std::vector<uint8_t>& bytes, RangeJob* job) {
  Unpacker from(bytes);
  job->target = from.get<const sim::Target*>();
  job->seed = from.get<uint64_t>();
  job->begin = from.get<uint64_t>();
  job->end = from.get<uint64_t>();
  job->strategy = from.get<sim::StrategyKind>();
  job->keep_going = from.get<bool>();
  job->silenced = from.get_list<std::vector<uint64_t>>();
  return !from.failed();
}

void pack(Packer& to, const SingleJob& job) {
  to.put(job.target);
  to.put(job.origin);
  to.put(job.seed);
  to.put(job.iteration);
  to.put_list(job.bytes);
  to.put_list(job.name);
  to.put(job.strategy);
  to.put(job.judge);
  to.put(job.details);
  to.put(job.record);
  to.put(job.trace);
  to.put(job.tail);
}

bool unpack(const std::vector<uint8_t>& bytes, SingleJob* job) {
  Unpacker from(bytes);
  job->target = from.get<const sim::Target*>();
  job->origin = from.get<Origin>();
  job->seed = from.get<uint64_t>();
  job->iteration = from.get<uint64_t>();
  job->bytes = from.get_list<std::vector<uint8_t>>();
  job->name = from.get_list<std::string>();
  job->strategy = from.get<sim::StrategyKind>();
  job->judge = from.get<bool>();
  job->details = from.get<bool>();
  job->record = from.get<bool>();
  job->trace = from.get<bool>();
  job->tail = from.get<uint32_t>();
  return !from.failed();
}

void pack(Packer& to, const RangeDone& done) { to.put(done.reached); }

bool unpack(const std::vector<uint8_t>& bytes, RangeDone* done) {
  Unpacker from(bytes);
  done->reached = from.get<uint64_t>();
  return !from.failed();
}

void pack(Packer& to, const SingleDone& done) {
  to.put(done.found);
  to.put(done.finding);
  to.put(done.digest);
  to.put(done.points);
  to.put(done.switches);
  to.put(done.clock_ns);
  to.put(done.allocations);
  to.put(done.stack_high_water);
  to.put_list(done.tape);
  to.put_list(done.spans.spans);
  to.put_list(done.spans.draws);
  to.put_list(done.lock_edges);
  put_lines(to, done.trace_tail);
  put_trace(to, done.trace);
  to.put_list(done.words);
}

bool unpack(const std::vector<uint8_t>& bytes, SingleDone* done) {
  Unpacker from(bytes);
  done->found = from.get<bool>();
  done->finding = from.get<sim::Finding>();
  done->digest = from.get<uint64_t>();
  done->points = from.get<uint64_t>();
  done->switches = from.get<uint64_t>();
  done->clock_ns = from.get<uint64_t>();
  done->allocations = from.get<uint64_t>();
  done->stack_high_water = from.get<uint64_t>();
  done->tape = from.get_list<std::vector<uint8_t>>();
  from.get_list(&done->spans.spans);
  from.get_list(&done->spans.draws);
  from.get_list(&done->lock_edges);
  done->trace_tail = get_lines(from);
  done->trace = get_trace(from);
  done->words = from.get_list<std::string>();
  return !from.failed();
}

void pack(Packer& to, const Booted& booted) {
  to.put(booted.ok);
  to.put_list(booted.error);
  to.put(booted.generation);
  to.put_list(booted.lock_edges);
  to.put<uint64_t>(booted.fences.size());
  for (const Fence& fence : booted.fences) {
    to.put_list(fence.name);
    to.put(fence.up);
    to.put_list(fence.trouble);
  }
}

bool unpack(const std::vector<uint8_t>& bytes, Booted* booted) {
  Unpacker from(bytes);
  booted->ok = from.get<bool>();
  booted->error = from.get_list<std::string>();
  booted->generation = from.get<uint64_t>();
  from.get_list(&booted->lock_edges);
  uint64_t fences = from.get<uint64_t>();
  for (uint64_t i = 0; i < fences && !from.failed(); ++i) {
    Fence& fence = booted->fences.emplace_back();
    from.get_list(&fence.name);
    fence.up = from.get<bool>();
    from.get_list(&fence.trouble);
  }
  return !from.failed();
}

} // namespace kiln::gates
