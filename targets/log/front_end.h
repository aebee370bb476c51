#pragma once
// The log's own front end as log/ring uses it, and what is to come of each message: a record with
// the message's text, level, context, CPU and time, and a line on the console if it is urgent
// enough.

#include <string>
#include <vector>

#include "kernel-src/log/log.h"
#include "sim/machine.h"
#include "sim/tape.h"

namespace kiln {

class FrontEnd {
 public:
  /// Draws how urgent a message must be to be kept, and to go to the console.
  FrontEnd(sim::Machine& machine, sim::Tape::View& data);
  ~FrontEnd() { machine_.hear_console(nullptr, nullptr); }
  FrontEnd(const FrontEnd&) = delete;
  FrontEnd& operator=(const FrontEnd&) = delete;

  /// Logs a message of that level, its number `width` characters wide. Any context.
  void log(clay::LogLevel level, int width);
  /// More at a time than the log holds: with interrupts off nothing is brought out meanwhile.
  void flood();
  /// Has the console say all that it owes.
  void flush();
  /// When nobody logs any more: what was logged is in the log, and on the console.
  void check(sim::Tape::View& data);
  /// After it: an urgent message and another at the same time, then nothing more. `may_fail`: an
  /// allocation may still be made to fail.
  void check_last_urgent(bool may_fail);

 private:
  struct Message {
    clay::LogLevel level;
    std::string text; ///< as much as a record holds
    uint8_t context = 0;
    bool cpu_known = false; ///< else the task could move on in the middle
    unsigned cpu = 0;
    uint64_t begun_ns = 0;
    bool heard = false;
  };

  static void hear(const char* text, size_t size, void* self);
  void hear_lost(const std::string& line);
  void hear_message(const std::string& line);
  Message& message_of(const char* text);
  void check_stamps(const Message& message, uint64_t from_ns, uint64_t time_ns, unsigned cpu) const;
  void check_record(const clay::LogRecord& record);
  void check_lines(const char* when) const;
  void check_log();

  sim::Machine& machine_;
  clay::LogLevel least_kept_;
  bool all_urgent_; ///< each message that is kept is for the console too
  clay::LogLevel least_urgent_;
  uint64_t first_ = 0; ///< number of the first message's record
  std::vector<Message> messages_;
  uint64_t kept_ = 0;      ///< messages that the log has to keep
  uint64_t urgent_ = 0;    ///< those of them for the console
  uint64_t lines_ = 0;     ///< on the console, one a message
  uint64_t told_lost_ = 0; ///< by the console
  bool flushed_ = false;
};

} // namespace kiln
