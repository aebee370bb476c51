#include "gates/finding/names.h"

#include <cstddef>

namespace kiln::gates {
namespace {

constexpr std::string_view kOperator = "operator";

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

/// Length of an operator's name at `at` ("operator<=", "operator()"), or 0. Conversion operators
/// count as the bare word.
size_t operator_length(std::string_view text, size_t at) {
  if (text.substr(at, kOperator.size()) != kOperator) return 0;
  if (at > 0 && is_name_char(text[at - 1])) return 0;
  size_t end = at + kOperator.size();
  if (end < text.size() && is_name_char(text[end])) return 0;
  for (std::string_view symbol :
       {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"}) {
    size_t after = end + symbol.size();
    if (text.substr(end, symbol.size()) != symbol) continue;
    // "operator<<int>(" is operator< of a template.
    bool is_template = symbol == "<<" && after < text.size() && text[after] != '(' &&
                       text[after] != '<' && text[after] != ' ';
    if (!is_template) return after - at;
  }
  return end - at;
}

/// Where the bracket at `open` is closed; the end of the text when it never is.
size_t closing(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (size_t skip = operator_length(text, i); skip > 0) {
      i += skip - 1;
      continue;
    }
    char c = text[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']' || (c == '>' && text[i - 1] != '-')) --depth;
    if (depth == 0) return i;
  }
  return text.size();
}

/// The name without anything in brackets; spaces at the top level are kept.
std::string without_brackets(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (size_t skip = operator_length(text, i); skip > 0) {
      out += text.substr(i, skip);
      i += skip - 1;
    } else if (text[i] == '(' || text[i] == '<' || text[i] == '{' || text[i] == '[') {
      i = closing(text, i);
    } else {
      out += text[i];
    }
  }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// "$_0::operator()" and "'lambda0'::operator()" -> "lambda".
void name_lambdas(std::string& text) {
  for (std::string_view mark : {"$_", "'lambda"}) {
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      size_t end = at + mark.size();
      while (end < text.size() && (is_name_char(text[end]) || text[end] == '\''))
        ++end;
      text.replace(at, end - at, "lambda");
    }
  }
  replace_all(text, "lambda::operator()", "lambda");
}

/// Cuts what stands after the name ("const", "noexcept") and before it (a return type).
std::string_view without_words_around(std::string_view text) {
  for (std::string_view tail : {" const", " volatile", " &&", " &"}) {
    if (text.ends_with(tail)) text.remove_suffix(tail.size());
  }
  size_t name_end = text.find(kOperator);
  if (name_end == std::string_view::npos) name_end = text.size();
  size_t space = text.substr(0, name_end).rfind(' ');
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

} // namespace

std::string short_name(std::string_view demangled) {
  if (size_t clone = demangled.find(" (."); clone != std::string_view::npos) {
    demangled = demangled.substr(0, clone);
  }
  std::string text = without_brackets(demangled);
  name_lambdas(text);
  std::string name(without_words_around(text));
  while (name.starts_with("::"))
    name.erase(0, 2);
  replace_all(name, "::::", "::");
  return name.empty() ? std::string(demangled) : name;
}

std::string repository_path(std::string_view path) {
  for (;;) {
    if (path.starts_with("./")) {
      path.remove_prefix(2);
    } else if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else {
      return std::string(path);
    }
  }
}

} // namespace kiln::gates
