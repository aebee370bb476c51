#pragma once
// Kernel and host texts side by side, and both in messages.

#include <string>
#include <string_view>

#include "kernel-src/lib/string_view.h"

/// For "%.*s" and "%llx".
#define KILN_TEXT(text) static_cast<int>((text).size()), (text).data()
#define KILN_U64(number) static_cast<unsigned long long>(number)

namespace kiln::targets {

inline std::string_view host(clay::StringView text) { return {text.data(), text.size()}; }
/// Not of a temporary one that goes before the view.
inline clay::StringView view(const std::string& text) { return {text.data(), text.size()}; }
/// The same characters in the same place.
inline bool is(clay::StringView a, std::string_view b) {
  return a.data() == b.data() && a.size() == b.size();
}
inline bool same(clay::StringView a, std::string_view b) { return host(a) == b; }

} // namespace kiln::targets
