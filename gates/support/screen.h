#pragma once
// Standard output shared by a live line (on a terminal) and by text that stays. Whatever is printed
// passes through printable_lines: no name and no message of a kernel can reach the terminal raw.

#include <string>
#include <string_view>

namespace kiln::gates {

/// Turns the live line on, where there is a terminal.
void use_live_line(bool on);
bool has_live_line();
/// Replaces the live line; nothing without one. Cut at the terminal's width.
void show_live_line(const std::string& text);
/// Text that stays, above the live line. Ends with a newline.
void print_block(const std::string& text);
/// The same on standard error.
void print_error(const std::string& text);
/// "kiln: " and the sentence on standard error, in one line whatever names are in it.
void complain(std::string_view sentence);
/// Why some of it did not get onto standard output; "" when all did.
std::string lost_output();

} // namespace kiln::gates
