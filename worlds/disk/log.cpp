#include "worlds/disk/log.h"

#include <cstdarg>
#include <cstdio>

namespace kiln::worlds {
namespace {

__attribute__((format(printf, 2, 3))) void append(std::string& out, const char* format, ...) {
  char line[256];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  out += line;
}

void append_place(std::string& out, const DiskCommand& command) {
  if (command.op == DiskOp::kFlush) return;
  append(out, " %lu", command.sector);
  if (command.sectors != 1) append(out, " +%lu", command.sectors);
}

void append_inside(std::string& out, const DiskCommand& command) {
  append(out, " in the middle of %s", name_of(command.op));
  append_place(out, command);
}

void append_command(std::string& out, const DiskLog::Entry& entry) {
  const DiskCommand& command = entry.command;
  append(out, "%-7s", name_of(command.op));
  append_place(out, command);
  if (command.flush_first) out += ", flush first";
  if (command.durable) out += ", durable";
  if (entry.answer != DiskAnswer::kOk) append(out, ": %s", name_of(entry.answer));
  if (entry.fault != FaultKind::kNone) append(out, " [%s]", name_of(entry.fault));
  if (entry.text != nullptr) append(out, "   (%s)", entry.text);
}

void append_mark(std::string& out, const DiskLog::Entry& entry) {
  char line[192];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  snprintf(line, sizeof(line), entry.text, entry.a, entry.b);
#pragma clang diagnostic pop
  append(out, "--- %s", line);
}

} // namespace

std::string DiskLog::text() const {
  std::string out;
  size_t number = 0;
  for (const Entry& entry : entries_) {
    append(out, "%4zu  ", number++);
    switch (entry.kind) {
    case Kind::kCommand:
      append_command(out, entry);
      break;
    case Kind::kMark:
      append_mark(out, entry);
      break;
    case Kind::kCut:
      out += "=== power lost";
      if (entry.inside) append_inside(out, entry.command);
      append(out, ": of %lu pending sectors %lu are not found as last written", entry.b, entry.a);
      break;
    case Kind::kPowerOn:
      out += "=== power on";
      break;
    case Kind::kRemoved:
      out += "=== removed";
      break;
    case Kind::kInserted:
      out += "=== inserted";
      break;
    case Kind::kReopened:
      append(out, "=== power on, as a disk of %lu sectors", entry.a);
      break;
    }
    out += '\n';
  }
  return out;
}

} // namespace kiln::worlds
