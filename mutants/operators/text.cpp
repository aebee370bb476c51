#include "mutants/operators/text.h"

#include <clang/Lex/Lexer.h>

namespace kiln::mutants {

using namespace clang;

namespace {

/// Of tokens: the units' own options change none of them.
const LangOptions& language() {
  static const LangOptions options = [] {
    LangOptions made;
    made.CPlusPlus = made.CPlusPlus11 = made.CPlusPlus14 = made.CPlusPlus17 = made.CPlusPlus20 = 1;
    made.LineComment = made.RawStringLiterals = 1;
    return made;
  }();
  return options;
}

} // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<std::string> one_line(const std::string& text) {
  Lexer lexer(SourceLocation(), language(), text.c_str(), text.c_str(), text.c_str() + text.size());
  std::string line;
  Token token;
  for (bool end = false; !end;) {
    end = lexer.LexFromRawLexer(token);
    if (token.is(tok::eof)) break;
    if (token.is(tok::hash) && token.isAtStartOfLine() && !line.empty()) return std::nullopt;
    if (!line.empty() && (token.hasLeadingSpace() || token.isAtStartOfLine())) line += ' ';
    const char* last = lexer.getBufferLocation();
    line.append(last - token.getLength(), token.getLength());
  }
  if (line.find('\n') != std::string::npos) return std::nullopt;
  return line;
}

} // namespace kiln::mutants
