// Recording of spans and draws.

#include "sim/tape.h"

namespace kiln::sim {

void Tape::note(Lane lane, unsigned width, uint64_t value, const DrawShape& shape) {
  const size_t end = lanes_[static_cast<size_t>(lane)].position();
  record_->draws.push_back(
      {lane, static_cast<uint8_t>(width), open_span_, end - width, value, shape});
  // Ends are kept up to date, so that they are right when the run ends inside a span.
  for (uint32_t i = open_span_; i != UINT32_MAX; i = record_->spans[i].parent) {
    record_->spans[i].end[static_cast<size_t>(lane)] = end;
    record_->spans[i].end[static_cast<size_t>(Lane::kSched)] = points();
  }
}

void Span::open(const char* name, Lane lane) {
  index_ = static_cast<uint32_t>(tape_.record_->spans.size());
  SpanRecord span{name, tape_.open_span_, lane, false, {}, {}};
  for (unsigned i = 0; i < kLanes; ++i) {
    span.begin[i] = span.end[i] = tape_.lanes_[i].position();
  }
  span.begin[static_cast<size_t>(Lane::kSched)] = tape_.points();
  span.end[static_cast<size_t>(Lane::kSched)] = tape_.points();
  tape_.record_->spans.push_back(span);
  tape_.open_span_ = index_;
}

// Tasks that draw in turn may close spans out of order: the innermost open one stays current.
void Span::close() {
  HostVector<SpanRecord>& spans = tape_.record_->spans;
  spans[index_].closed = true;
  spans[index_].end[static_cast<size_t>(Lane::kSched)] = tape_.points();
  while (tape_.open_span_ != UINT32_MAX && spans[tape_.open_span_].closed) {
    tape_.open_span_ = spans[tape_.open_span_].parent;
  }
}

} // namespace kiln::sim
