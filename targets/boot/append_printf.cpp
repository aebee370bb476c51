#include "targets/boot/append_printf.h"

#include <cstdio>

#include "sim/machine.h"

namespace kiln::targets {

void append_vprintf(std::string& out, const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  KILN_CHECK(length >= 0, "there is no text for \"%s\"", format);
  const size_t before = out.size();
  const auto more = static_cast<size_t>(length);
  out.resize(before + more + 1); // and its NUL, which goes again
  std::vsnprintf(&out[before], more + 1, format, arguments);
  out.resize(before + more);
}

void append_printf(std::string& out, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  append_vprintf(out, format, arguments);
  va_end(arguments);
}

} // namespace kiln::targets
