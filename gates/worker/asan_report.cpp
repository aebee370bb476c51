#include "gates/worker/asan_report.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <string>

namespace kiln::gates {
namespace {

constexpr std::string_view kMark = "ERROR: AddressSanitizer: ";
/// The program is not position independent and lies below; libraries and the stack lie above.
constexpr uint64_t kProgramEnd = uint64_t{1} << 32;

/// Takes the next line off `text`.
std::string_view next_line(std::string_view& text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  size_t begin = text.find(before);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + before.size());
  return text.substr(0, text.find(after));
}

/// "    #3 0x00000050bf14  (...)" -> true and its address.
bool parse_frame(std::string_view line, uint64_t* pc) {
  size_t mark = line.find_first_not_of(' ');
  if (mark == 0 || mark == std::string_view::npos || line[mark] != '#') return false;
  std::string_view digits = between(line, " 0x", " ");
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *pc, 16);
  return error == std::errc() && !digits.empty();
}

/// The printed address is one before the return address.
void add_frame(sim::Stack& stack, uint64_t pc) {
  if (pc < kProgramEnd && stack.count < sim::kStackFrames) stack.pc[stack.count++] = pc + 1;
}

/// "heap-buffer-overflow on address 0x... at pc" -> "heap-buffer-overflow".
std::string kind_of(std::string_view after_mark) {
  size_t end = std::min({after_mark.find(" on "), after_mark.find(" 0x"), after_mark.find(" ("),
                         after_mark.find(": "), after_mark.size()});
  return std::string(after_mark.substr(0, end));
}

/// "READ of size 4 at 0x... thread T0" -> "reads 4 bytes"; "" for other lines.
std::string access_of(std::string_view line) {
  bool reads = line.starts_with("READ of size ");
  if (!reads && !line.starts_with("WRITE of size ")) return "";
  std::string_view size = between(line, "of size ", " ");
  return fmt::format("{} {} byte{}", reads ? "reads" : "writes", size, size == "1" ? "" : "s");
}

/// "0x... is located 0 bytes after 16-byte region [0x...)" -> "0 bytes after 16-byte region".
std::string location_of(std::string_view line) {
  size_t at = line.find(" is located ");
  if (at == std::string_view::npos || line.find(" in stack of ") != std::string_view::npos) {
    return "";
  }
  std::string_view rest = line.substr(at + 12);
  std::string out;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest.substr(i, 3) == " [0" || rest.substr(i, 3) == " (0") {
      i = std::min(rest.find_first_of(")]", i), rest.size()); // an address or a range of them
    } else {
      out += rest[i];
    }
  }
  return out;
}

uint64_t distance_of(std::string_view location) {
  uint64_t bytes = UINT64_MAX;
  std::from_chars(location.data(), location.data() + location.size(), bytes);
  return bytes;
}

sim::Rule rule_of(std::string_view kind) {
  if (kind == "stack-overflow") return sim::Rule::kStackOverflow;
  for (std::string_view fault : {"SEGV", "BUS", "FPE", "ILL", "TRAP", "ABRT"}) {
    if (kind == fault) return sim::Rule::kCrash;
  }
  return sim::Rule::kAddress;
}

/// Reads a report line by line.
class Reader {
 public:
  explicit Reader(sim::Finding& finding) : finding_(finding) {}

  void take(std::string_view line) {
    uint64_t pc = 0;
    if (parse_frame(line, &pc)) {
      if (into_ != nullptr) add_frame(*into_, pc);
      return;
    }
    if (line.empty()) into_ = nullptr;
    if (into_ != &finding_.stack || finding_.stack.count > 0) into_ = nullptr;
    take_words(line);
  }

  std::string details() const {
    std::string out = access_;
    for (const std::string& part : {location_, variable_, cause_}) {
      if (!part.empty()) out += (out.empty() ? "" : ", ") + part;
    }
    return out;
  }

  void begin_stack() { into_ = &finding_.stack; }

 private:
  void take_words(std::string_view line) {
    if (std::string access = access_of(line); !access.empty()) access_ = access;
    if (std::string location = location_of(line);
        !location.empty() &&
        (location_.empty() || distance_of(location) < distance_of(location_))) {
      location_ = location;
    }
    if (line.find("<== Memory access") != std::string_view::npos) {
      variable_ = fmt::format("at '{}'", between(line, "'", "'"));
    }
    if (std::string_view cause = between(line, "caused by a ", " memory access"); !cause.empty()) {
      cause_ = cause == "READ" ? "by a read" : cause == "WRITE" ? "by a write" : "by an access";
    }
    if (line.starts_with("freed by ")) {
      begin_other("the memory was given back here");
    } else if (line.starts_with("allocated by ") || line.starts_with("previously allocated by ")) {
      begin_other("the memory was taken here");
    }
  }

  /// The first other stack is kept.
  void begin_other(const char* label) {
    if (finding_.other_label[0] != 0) return;
    std::snprintf(finding_.other_label, sizeof finding_.other_label, "%s", label);
    into_ = &finding_.other;
  }

  sim::Finding& finding_;
  sim::Stack* into_ = nullptr;
  std::string access_, location_, variable_, cause_;
};

} // namespace

bool parse_asan_report(std::string_view text, sim::Finding* finding) {
  size_t mark = text.find(kMark);
  if (mark == std::string_view::npos) return false;
  text.remove_prefix(mark + kMark.size());
  *finding = sim::Finding{};
  std::string kind = kind_of(next_line(text));
  finding->rule = rule_of(kind);
  Reader reader(*finding);
  reader.begin_stack();
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (line.starts_with("SUMMARY: ")) break;
    reader.take(line);
  }
  finding->has_other = finding->other.count > 0;
  std::string details = reader.details();
  std::string headline = details.empty() ? kind : fmt::format("{}: {}", kind, details);
  std::snprintf(finding->headline, sizeof finding->headline, "%s", headline.c_str());
  return true;
}

} // namespace kiln::gates
