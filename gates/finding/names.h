#pragma once
// Demangled C++ names made short enough to read, and the same in every build: no return type, no
// parameters, no template arguments, lambdas without numbers.

#include <string>
#include <string_view>

namespace kiln::gates {

/// "void clay::(anonymous namespace)::with<int>(int) const (.cold)" -> "clay::with";
/// "clay::M::lock(int)::$_0::operator()(int) const" -> "clay::M::lock::lambda". Names that are not
/// C++ come back as they are.
std::string short_name(std::string_view demangled);

/// Paths as the compiler wrote them -> relative to the repository: leading "./" and "../" go.
/// Absolute paths (system headers) and "" stay.
std::string repository_path(std::string_view path);

} // namespace kiln::gates
