#include "targets/log/front_end.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "kernel-src/hal/cpu.h"
#include "kernel-src/hal/interrupt.h"
#include "kernel-src/log/console.h"
#include "kernel-src/task/sleep.h"
#include "kernel-src/task/task.h"
#include "sim/probe.h"
#include "sim/target.h"

namespace kiln {
namespace {

using clay::LogLevel;
using clay::LogRecord;

constexpr const char* kTarget = "log/ring";
sim::Probe front_end{kTarget, "a message goes through the front end"};
sim::Probe from_interrupt{kTarget, "a message comes from an interrupt"};
sim::Probe dropped{kTarget, "a message is not urgent enough to be kept"};
sim::Probe cut{kTarget, "a message is cut"};
sim::Probe very_long{kTarget, "a message has more than 255 characters"};
sim::Probe last_urgent{kTarget, "an urgent message beside another is the last of all"};
sim::Probe console_lost{kTarget, "the console tells of lost records"};
sim::Probe late{kTarget, "a line is written more than a second after boot"};
sim::Probe line_cut{kTarget, "a line is cut to its buffer"};

constexpr const char* kLevelNames[] = {"error", "warning", "info", "debug"};
constexpr size_t kMostLine = 200;
constexpr size_t kMostMessage = 800;

const char* name_of(LogLevel level) { return kLevelNames[static_cast<unsigned>(level)]; }

/// A record as a line: seconds since boot, CPU, level, text.
std::string line_of(uint64_t time_us, unsigned cpu, LogLevel level, const std::string& text) {
  char line[kMostLine];
  const int length = snprintf(line, sizeof line, "[%5llu.%06llu] cpu%u %s: %s\n",
                              static_cast<unsigned long long>(time_us / 1'000'000),
                              static_cast<unsigned long long>(time_us % 1'000'000), cpu,
                              name_of(level), text.c_str());
  KILN_CHECK(length > 0 && static_cast<size_t>(length) < sizeof line, "a line has %d characters",
             length);
  return {line, static_cast<size_t>(length)};
}

/// The line of any record, whole and cut.
void check_format(sim::Tape::View& data) {
  LogRecord record;
  record.time_ns = data.edge64();
  record.level = static_cast<LogLevel>(data.below(4));
  record.cpu = data.u8();
  record.length = static_cast<uint8_t>(data.below(LogRecord::kMostText + 1));
  for (size_t i = 0; i < LogRecord::kMostText; ++i) {
    record.text[i] = static_cast<char>('a' + (i + record.cpu) % 26);
  }
  const std::string want = line_of(record.time_ns / 1000, record.cpu, record.level,
                                   std::string(record.text, record.length));
  char line[kMostLine];
  const size_t around = want.size() - 1 + static_cast<size_t>(data.below(4));
  const size_t size = data.boolean() ? around : static_cast<size_t>(data.between(1, sizeof line));
  const size_t kept = std::min(want.size(), size - 1);
  if (kept != want.size()) line_cut.hit();
  const size_t got = clay::format_record(record, line, size);
  KILN_CHECK(got == kept, "of a log line %zu characters are kept in %zu, not %zu", got, size, kept);
  KILN_CHECK(memcmp(line, want.data(), kept) == 0, "a log line is \"%.*s\", not \"%s\"",
             static_cast<int>(kept), line, want.c_str());
}

} // namespace

FrontEnd::FrontEnd(sim::Machine& machine, sim::Tape::View& data) : machine_(machine) {
  least_kept_ = data.pick({LogLevel::kInfo, LogLevel::kDebug, LogLevel::kWarning});
  all_urgent_ = data.boolean();
  least_urgent_ = all_urgent_ ? least_kept_ : LogLevel::kWarning;
  clay::flush_console();
  first_ = clay::log_ring.next_number();
  clay::set_log_level(least_kept_);
  clay::set_console_level(least_urgent_);
  machine_.hear_console(hear, this);
}

// --- Logging

void FrontEnd::log(LogLevel level, int width) {
  // The number is taken before the first point: an interrupt that logs gets another.
  const auto number = static_cast<unsigned>(messages_.size());
  char text[kMostMessage];
  snprintf(text, sizeof text, "#%u says %*d", number, width, 7);
  const std::string all(text);
  messages_.push_back({.level = level, .text = all.substr(0, LogRecord::kMostText)});
  const bool kept = level <= least_kept_;
  kept_ += kept ? 1 : 0;
  urgent_ += kept && level <= least_urgent_ ? 1 : 0;

  const auto context = static_cast<uint8_t>(hal_context());
  const bool pinned = number % 2 != 0; // with interrupts off, to know the CPU
  const bool were_on = pinned && hal_irq_save();
  Message& message = messages_[number];
  message.context = context;
  message.cpu_known = pinned || context != kHalTask;
  message.cpu = hal_cpu_id();
  message.begun_ns = machine_.now();
  clay::log(level, "#%u says %*d", number, width, 7);
  if (pinned) hal_irq_restore(were_on);

  front_end.hit();
  if (context == kHalIrq) from_interrupt.hit();
  if (!kept) dropped.hit();
  if (all.size() > LogRecord::kMostText) cut.hit();
  if (all.size() > 255) very_long.hit();
}

void FrontEnd::flood() {
  const bool were_on = hal_irq_save();
  for (unsigned i = 0; i < 80; ++i) {
    log(LogLevel::kInfo, 1);
  }
  hal_irq_restore(were_on);
}

void FrontEnd::flush() {
  flushed_ = true;
  clay::flush_console();
}

// --- What the console says

void FrontEnd::hear(const char* text, size_t size, void* self) {
  KILN_CHECK(size > 1 && text[size - 1] == '\n' && memchr(text, '\n', size - 1) == nullptr,
             "the console is given %zu characters that are no line", size);
  const std::string line(text, size);
  auto& front_end = *static_cast<FrontEnd*>(self);
  KILN_CHECK(front_end.urgent_ != 0 || front_end.flushed_,
             "nothing urgent was logged, and the console says \"%s\"", line.c_str());
  line[0] == '(' ? front_end.hear_lost(line) : front_end.hear_message(line);
}

void FrontEnd::hear_lost(const std::string& line) {
  const uint64_t count = strtoull(line.c_str() + 1, nullptr, 10);
  KILN_CHECK(count != 0 && line == "(" + std::to_string(count) + " log records lost)\n",
             "the console says \"%s\"", line.c_str());
  told_lost_ += count;
  console_lost.hit();
}

void FrontEnd::hear_message(const std::string& line) {
  unsigned long long seconds = 0;
  unsigned long long us = 0;
  unsigned cpu = 0;
  const int read = sscanf(line.c_str(), "[%llu.%llu] cpu%u", &seconds, &us, &cpu);
  const size_t text_at = line.find('#');
  KILN_CHECK(read == 3 && text_at != std::string::npos, "the console says \"%s\"", line.c_str());
  Message& message = message_of(line.c_str() + text_at);
  KILN_CHECK(!message.heard, "the console says twice \"%s\"", line.c_str());
  KILN_CHECK(message.level <= least_urgent_, "the console says what is not urgent: \"%s\"",
             line.c_str());
  const uint64_t time_us = seconds * 1'000'000 + us;
  const std::string want = line_of(time_us, cpu, message.level, message.text);
  KILN_CHECK(line == want, "the console says \"%s\", not \"%s\"", line.c_str(), want.c_str());
  check_stamps(message, message.begun_ns / 1000 * 1000, time_us * 1000, cpu);
  message.heard = true;
  ++lines_;
  if (seconds != 0) late.hit();
}

// --- What the log holds

/// The message with the number behind the # that the text begins with.
FrontEnd::Message& FrontEnd::message_of(const char* text) {
  const uint64_t number = text[0] == '#' ? strtoull(text + 1, nullptr, 10) : UINT64_MAX;
  KILN_CHECK(number < messages_.size(), "the log has a message that nobody has written: \"%s\"",
             text);
  return messages_[number];
}

void FrontEnd::check_stamps(const Message& message, uint64_t from_ns, uint64_t time_ns,
                            unsigned cpu) const {
  KILN_CHECK(time_ns >= from_ns && time_ns <= machine_.now(),
             "a message has the time %llu, not one from %llu to %llu",
             static_cast<unsigned long long>(time_ns), static_cast<unsigned long long>(from_ns),
             static_cast<unsigned long long>(machine_.now()));
  KILN_CHECK(message.cpu_known ? cpu == message.cpu : cpu < machine_.cpus(),
             "a message of CPU %u has the CPU %u", message.cpu, cpu);
}

void FrontEnd::check_record(const LogRecord& record) {
  KILN_CHECK(record.length <= LogRecord::kMostText, "a record is too long");
  const std::string text(record.text, record.length);
  const Message& message = message_of(text.c_str());
  KILN_CHECK(text == message.text, "a record says \"%s\", not \"%s\"", text.c_str(),
             message.text.c_str());
  KILN_CHECK(record.level == message.level && record.context == message.context,
             "a message of level %u and context %u has level %u and context %u",
             static_cast<unsigned>(message.level), unsigned{message.context},
             static_cast<unsigned>(record.level), unsigned{record.context});
  check_stamps(message, message.begun_ns, record.time_ns, record.cpu);
}

void FrontEnd::check_log() {
  clay::LogReader reader(clay::log_ring);
  LogRecord record;
  uint64_t lost = UINT64_MAX;
  uint64_t last_ns[sim::kMaxCpus] = {};
  while (reader.next(&record, &lost)) {
    if (reader.position() <= first_) {
      continue; // of boot
    }
    check_record(record);
    KILN_CHECK(record.time_ns >= last_ns[record.cpu],
               "a record is older than the one before it on CPU %u", unsigned{record.cpu});
    last_ns[record.cpu] = record.time_ns;
  }
}

// --- At the end

/// Whether each message for the console stands there, or is told of as lost.
void FrontEnd::check_lines(const char* when) const {
  if (all_urgent_ || told_lost_ == 0) {
    KILN_CHECK(lines_ + told_lost_ == urgent_,
               "%s the console has %llu messages and tells of %llu lost, not of %llu", when,
               static_cast<unsigned long long>(lines_), static_cast<unsigned long long>(told_lost_),
               static_cast<unsigned long long>(urgent_));
  }
}

void FrontEnd::check(sim::Tape::View& data) {
  const uint64_t ended_ns = machine_.now();
  clay::sleep_for(1'000'000);
  // An idle machine has brought everything out.
  if (machine_.idle_until() > ended_ns) {
    check_lines("when all is idle");
  }
  const uint64_t kept = clay::log_ring.next_number() - first_;
  KILN_CHECK(kept == kept_, "the log kept %llu messages, not %llu",
             static_cast<unsigned long long>(kept), static_cast<unsigned long long>(kept_));
  flush();
  check_lines("at the end");
  check_log();
  check_format(data);
}

/// The console's reader may stop at the other message, half written, and find nobody who calls it
/// again for the urgent one behind it.
void FrontEnd::check_last_urgent(bool may_fail) {
  least_kept_ = LogLevel::kInfo;
  all_urgent_ = false;
  least_urgent_ = LogLevel::kWarning;
  clay::set_log_level(least_kept_);
  clay::set_console_level(least_urgent_);
  for (unsigned round = 0; round < 3; ++round) {
    auto other = clay::Task::spawn("quiet", [this] { log(LogLevel::kInfo, 1); });
    KILN_CHECK(other.ok() || may_fail, "a task could not be made");
    if (!other.ok()) {
      return;
    }
    const size_t number = messages_.size();
    log(LogLevel::kWarning, 1);
    other.value().join();
    const uint64_t ended_ns = machine_.now();
    clay::sleep_for(1'000);
    if (machine_.idle_until() > ended_ns) {
      last_urgent.hit();
      KILN_CHECK(messages_[number].heard, "the last urgent message is not brought out");
    }
    flush();
  }
}

} // namespace kiln
