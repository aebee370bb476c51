#pragma once
// Names of tasks in a trace that was taken in another process.

#include <string>

#include "gates/finding/found.h"

namespace kiln::gates {

class TaskNames {
 public:
  /// From the log's own list, and from events that name the task they are about.
  explicit TaskNames(const TraceLog& log);
  /// "writer"; "task 3" when nothing names it; "(idle)" for kNoTask.
  std::string of(unsigned task) const;

 private:
  void number_namesakes();

  std::vector<std::string> names_;
};

/// Name of event.other where it is a task, "" where it is something else.
std::string other_name(const TaskNames& names, const sim::TraceEvent& event);

} // namespace kiln::gates
