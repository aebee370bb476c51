#include "gates/report/report_stack.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln::gates {

bool is_machine(const Frame& frame) {
  return frame.file.empty() || frame.file.front() == '/' || frame.file.starts_with("sim/") ||
         frame.file.starts_with("hal-host/") || frame.file.starts_with("gates/");
}

namespace {

std::string names(std::span<const Frame> frames) {
  constexpr size_t kShown = 4;
  std::string out;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (i > 0 && frames[i].function.starts_with("0x")) continue; // the host's, below the fiber
    if (frames.size() > kShown && i == kShown - 1) return out + " < ...";
    out += (i == 0 ? "" : " < ") + frames[i].function;
  }
  return out;
}

std::string frame_line(size_t number, const Frame& frame) {
  std::string mark = frame.inlined ? " (inlined)" : "";
  return fmt::format("#{:<2} {:<36} {}{}", number, frame.function, file_and_line(frame), mark);
}

} // namespace

std::string stack_text(std::span<const Frame> frames, const Style& style, size_t indent,
                       size_t most) {
  std::string out;
  size_t lines = 0;
  for (size_t i = 0; i < frames.size() && lines < most; ++lines) {
    size_t end = i;
    while (end < frames.size() && is_machine(frames[end]))
      ++end;
    std::string line;
    if (end > i) {
      line = style.dim(fmt::format("    machine: {}", names(frames.subspan(i, end - i))));
      i = end;
    } else {
      line = frame_line(i, frames[i]);
      ++i;
    }
    out += std::string(indent, ' ') + line + "\n";
    if (lines + 1 == most && i < frames.size()) {
      out += fmt::format("{}    ... {} more frames\n", std::string(indent, ' '), frames.size() - i);
    }
  }
  return out.empty() ? std::string(indent, ' ') + "(not known)\n" : out;
}

} // namespace kiln::gates
