#pragma once
// Text from outside (names of files, words of the command line, what a kernel under test says) on
// its way to a terminal: what would move the cursor or begin a line is written as "\n" or "\x1b".

#include <cstddef>
#include <string>
#include <string_view>

namespace kiln::gates {

/// Length of the well-formed UTF-8 sequence (Unicode 15, table 3-7) at the front; 0: there is none.
size_t utf8_character(std::string_view text);

/// As a part of one line: every control character and every byte that is no UTF-8 is escaped.
std::string printable(std::string_view text);
/// As lines: newlines, tabs and the colours of Style stay.
std::string printable_lines(std::string_view text);
/// As one word of a command for a shell, quoted where it must be.
std::string shell_word(std::string_view text);

} // namespace kiln::gates
