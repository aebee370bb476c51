#pragma once
// From nodes of the syntax tree to bytes of the file that they are written in.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/Lex/Preprocessor.h>
#include <map>
#include <optional>
#include <string>

#include "mutants/operators/roles.h"
#include "mutants/rewrite/site.h"

namespace kiln::mutants {

class Spots {
 public:
  Spots(const clang::ASTContext& context, clang::Preprocessor& preprocessor, const Roles& roles);

  /// All of it is spelled in `file`: directly, as an argument of macros that do not print their
  /// arguments (role `assert`, or #), or as a whole macro. Nothing otherwise.
  std::optional<Span> expression(const clang::Stmt& node, clang::FileID file);
  /// The same of a statement, its semicolon included.
  std::optional<Span> statement(const clang::Stmt& node, clang::FileID file);
  std::optional<Span> range(clang::SourceRange range, clang::FileID file);

  std::string text(Span span, clang::FileID file) const;
  /// As written, also when the node is not all in one file; then its macros' name or nothing.
  std::string text(const clang::Stmt& node) const;

 private:
  bool printed_by_macro(clang::SourceLocation at);
  bool prints_arguments(llvm::StringRef macro);
  std::optional<uint32_t> behind_semicolon(uint32_t offset, clang::FileID file) const;

  const clang::SourceManager& sources_;
  const clang::LangOptions& language_;
  clang::Preprocessor& preprocessor_;
  const Roles& roles_;
  std::map<std::string, bool, std::less<>> printing_;
};

} // namespace kiln::mutants
