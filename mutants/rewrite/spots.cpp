#include "mutants/rewrite/spots.h"

#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>

#include "mutants/operators/ast.h"

namespace kiln::mutants {
namespace {

using namespace clang;

/// The statement that `node` ends with: the innermost body of an if, a loop, a label.
const Stmt& tail(const Stmt& node) {
  const Stmt* next = nullptr;
  if (const auto* s = dyn_cast<IfStmt>(&node)) {
    next = s->getElse() != nullptr ? s->getElse() : s->getThen();
  } else if (const Stmt* body = loop_body(node); body != nullptr && !isa<DoStmt>(node)) {
    next = body;
  } else if (const auto* s = dyn_cast<SwitchStmt>(&node)) {
    next = s->getBody();
  } else if (const auto* s = dyn_cast<SwitchCase>(&node)) {
    next = s->getSubStmt();
  } else if (const auto* s = dyn_cast<LabelStmt>(&node)) {
    next = s->getSubStmt();
  } else if (const auto* s = dyn_cast<AttributedStmt>(&node)) {
    next = s->getSubStmt();
  }
  return next == nullptr ? node : tail(*next);
}

} // namespace

Spots::Spots(const ASTContext& context, Preprocessor& preprocessor, const Roles& roles)
    : sources_(context.getSourceManager()), language_(context.getLangOpts()),
      preprocessor_(preprocessor), roles_(roles) {}

std::optional<Span> Spots::range(SourceRange range, FileID file) {
  if (range.isInvalid() || printed_by_macro(range.getBegin())) return std::nullopt;
  CharSourceRange chars =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(range), sources_, language_);
  if (chars.isInvalid()) return std::nullopt;
  auto [begin_file, begin] = sources_.getDecomposedLoc(chars.getBegin());
  auto [end_file, end] = sources_.getDecomposedLoc(chars.getEnd());
  if (begin_file != file || end_file != file || begin >= end) return std::nullopt;
  return Span{begin, end};
}

std::optional<Span> Spots::expression(const Stmt& node, FileID file) {
  return range(node.getSourceRange(), file);
}

std::optional<Span> Spots::statement(const Stmt& node, FileID file) {
  const Stmt& last = tail(node);
  std::optional<Span> span = range({node.getBeginLoc(), last.getEndLoc()}, file);
  bool closed = isa<CompoundStmt, DeclStmt, NullStmt, CXXTryStmt, SwitchStmt>(last);
  if (!span || closed) return span;
  std::optional<uint32_t> end = behind_semicolon(span->end, file);
  if (!end) return std::nullopt;
  return Span{span->begin, *end};
}

std::optional<uint32_t> Spots::behind_semicolon(uint32_t offset, FileID file) const {
  StringRef buffer = sources_.getBufferData(file);
  Lexer lexer(sources_.getLocForStartOfFile(file), language_, buffer.begin(),
              buffer.begin() + offset, buffer.end());
  Token token;
  lexer.LexFromRawLexer(token);
  if (token.isNot(tok::semi)) return std::nullopt;
  return sources_.getFileOffset(token.getLocation()) + 1;
}

std::string Spots::text(Span span, FileID file) const {
  return sources_.getBufferData(file).substr(span.begin, span.end - span.begin).str();
}

std::string Spots::text(const Stmt& node) const {
  return Lexer::getSourceText(CharSourceRange::getTokenRange(node.getSourceRange()), sources_,
                              language_)
      .str();
}

bool Spots::printed_by_macro(SourceLocation at) {
  for (; at.isMacroID(); at = sources_.getImmediateMacroCallerLoc(at)) {
    if (sources_.isMacroArgExpansion(at) &&
        prints_arguments(Lexer::getImmediateMacroName(at, sources_, language_))) {
      return true;
    }
  }
  return false;
}

bool Spots::prints_arguments(StringRef macro) {
  auto known = printing_.find(macro);
  if (known != printing_.end()) return known->second;
  bool prints = roles_.has("assert", std::string_view(macro));
  IdentifierInfo* name = preprocessor_.getIdentifierInfo(macro);
  if (const MacroInfo* info = preprocessor_.getMacroInfo(name); info != nullptr && !prints) {
    for (const Token& token : info->tokens()) {
      prints |= token.is(tok::hash);
    }
  }
  printing_.emplace(macro.str(), prints);
  return prints;
}

} // namespace kiln::mutants
