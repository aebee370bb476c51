#pragma once
// Traces for tests, event by event.

#include <utility>

#include "gates/finding/found.h"

namespace kiln::gates {

class TraceBuilder {
 public:
  /// Events from here on are of `task` on `cpu`.
  TraceBuilder& on(unsigned task, unsigned cpu, unsigned context = 0) {
    task_ = static_cast<uint16_t>(task);
    cpu_ = static_cast<uint8_t>(cpu);
    context_ = static_cast<uint8_t>(context);
    return *this;
  }
  /// Each event comes 100 ns after the one before.
  TraceBuilder& add(sim::TraceKind kind, unsigned other = 0, uint64_t value = 0,
                    const char* text = nullptr, uint64_t pc = 0) {
    sim::TraceEvent event{};
    event.clock_ns = now_ += 100;
    event.point = log_.events.size();
    event.kind = kind;
    event.cpu = cpu_;
    event.context = context_;
    event.task = task_;
    event.other = static_cast<uint16_t>(other);
    event.value = value;
    event.text = text;
    event.pc = pc;
    log_.events.push_back(event);
    return *this;
  }
  TraceLog take() { return std::move(log_); }

 private:
  TraceLog log_;
  uint64_t now_ = 0;
  uint16_t task_ = 0;
  uint8_t cpu_ = 0;
  uint8_t context_ = 0;
};

} // namespace kiln::gates
