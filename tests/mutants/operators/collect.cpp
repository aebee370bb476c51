#include "tests/mutants/operators/collect.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Tooling.h>
#include <gtest/gtest.h>

#include "mutants/operators/ast.h"
#include "mutants/rewrite/body_walk.h"

namespace kiln::mutants {

using namespace clang;

namespace {

class Lines : public BodyProposals {
 public:
  Lines(const ASTContext& context, std::vector<std::string>& lines)
      : context_(context), lines_(lines) {}
  void choose(const Expr& original, std::vector<Variant> variants, bool comparable) override {
    for (const Variant& variant : variants) {
      if (where.constant.empty()) {
        add(variant.oper, text(original) + (comparable ? " => " : " -> ") + variant.text);
      } else {
        unmade(original, variant.oper, where.constant);
      }
    }
  }
  void add_tick(const Stmt&) override {}
  void drop(const Stmt& statement, std::string_view oper) override {
    add(oper, "drop " + text(statement));
  }
  void insert_before(const Stmt& statement, std::string_view oper, std::string added) override {
    add(oper, "before " + text(statement) + " -> " + added);
  }
  void insert_after(const Stmt& statement, std::string_view oper, std::string added) override {
    add(oper, "after " + text(statement) + " -> " + added);
  }
  void swap(const Stmt& earlier, const Stmt& later, std::string_view oper) override {
    add(oper, "swap " + text(earlier) + " | " + text(later));
  }
  void replace(const Stmt& statement, std::string_view oper, std::string other) override {
    add(oper, "replace " + text(statement) + " -> " + other);
  }
  void unmade(const Stmt& node, std::string_view oper, std::string reason) override {
    add(oper, "unmade " + text(node) + ": " + reason);
  }
  std::string source_text(const Stmt& node) const override {
    const SourceManager& sources = context_.getSourceManager();
    return Lexer::getSourceText(CharSourceRange::getTokenRange(node.getSourceRange()), sources,
                                context_.getLangOpts())
        .str();
  }

 private:
  std::string text(const Stmt& node) const { return on_one_line(source_text(node)); }
  void add(std::string_view oper, const std::string& what) {
    lines_.push_back(std::string(oper) + ": " + what);
  }
  const ASTContext& context_;
  std::vector<std::string>& lines_;
};

/// Finds functions; the frame's walk does the rest.
class Walk : public RecursiveASTVisitor<Walk> {
 public:
  Walk(const Place& place, BodyProposals& proposals) : place_(place), proposals_(proposals) {}
  bool VisitFunctionDecl(FunctionDecl* function) {
    if (function->doesThisDeclarationHaveABody()) {
      walk_body(*function, place_, operators_, proposals_);
    }
    return true;
  }
  static bool TraverseStmt(Stmt*) { return true; }

 private:
  Operators operators_ = all_operators();
  const Place& place_;
  BodyProposals& proposals_;
};

} // namespace

std::vector<std::string> Collected::of(std::string_view oper) const {
  std::vector<std::string> found;
  const std::string front = std::string(oper) + ": ";
  for (const std::string& line : lines) {
    if (line.starts_with(front)) found.push_back(line.substr(front.size()));
  }
  return found;
}

Collected collect(std::string_view source, std::string_view roles_text) {
  Collected collected;
  std::string error;
  const std::optional<Roles> roles = Roles::parse(roles_text, &error);
  EXPECT_TRUE(roles.has_value()) << error;
  const std::unique_ptr<ASTUnit> unit = tooling::buildASTFromCodeWithArgs(
      std::string(source), {"-std=c++20", "-Wno-everything"}, "piece.cpp");
  EXPECT_TRUE(unit != nullptr && !unit->getDiagnostics().hasErrorOccurred());
  if (!roles.has_value() || unit == nullptr) return collected;
  Lines lines(unit->getASTContext(), collected.lines);
  const Place place{unit->getASTContext(), *roles};
  Walk(place, lines).TraverseDecl(unit->getASTContext().getTranslationUnitDecl());
  return collected;
}

std::vector<std::string> variants(std::string_view oper, std::string_view source,
                                  std::string_view roles) {
  return collect(source, roles).of(oper);
}

} // namespace kiln::mutants
