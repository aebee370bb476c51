#pragma once
// printf onto the end of a text, for `feed`'s words.

#include <cstdarg>
#include <string>

namespace kiln::targets {

/// All of it, however long.
__attribute__((format(printf, 2, 3))) void append_printf(std::string& out, const char* format, ...);
__attribute__((format(printf, 2, 0))) void append_vprintf(std::string& out, const char* format,
                                                          va_list arguments);

} // namespace kiln::targets
