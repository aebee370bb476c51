#include "gates/support/screen.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

#include "gates/support/printable.h"

namespace kiln::gates {

namespace {

bool live = false;
bool line_shown = false;
int output_error = 0;

size_t terminal_width() {
  winsize size{};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void clear_line() {
  if (!line_shown) return;
  std::fputs("\r\x1b[K", stdout);
  line_shown = false;
}

void print(std::FILE* file, const std::string& raw) {
  std::string text = printable_lines(raw);
  clear_line();
  if (file == stderr) std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), file);
  if (!text.empty() && text.back() != '\n') std::fputc('\n', file);
  bool lost = std::fflush(file) != 0 || std::ferror(file) != 0;
  // A reader that has gone has read what it wanted.
  if (lost && file == stdout && output_error == 0 && errno != EPIPE) output_error = errno;
}

} // namespace

void use_live_line(bool on) { live = on; }
bool has_live_line() { return live; }

void show_live_line(const std::string& text) {
  if (!live) return;
  std::string line = text.substr(0, terminal_width() - 1);
  std::fputs("\r\x1b[K", stdout);
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
  line_shown = !line.empty();
}

void print_block(const std::string& text) { print(stdout, text); }
void print_error(const std::string& text) { print(stderr, text); }

void complain(std::string_view sentence) {
  // Some messages come from elsewhere and do not end as a sentence does.
  bool ended = sentence.ends_with('.') || sentence.ends_with('?');
  print_error("kiln: " + printable(sentence) + (ended ? "" : "."));
}

std::string lost_output() {
  if (output_error == 0) return "";
  return std::string("standard output cannot be written: ") + std::strerror(output_error) +
         "; what was to be printed is lost";
}

} // namespace kiln::gates
