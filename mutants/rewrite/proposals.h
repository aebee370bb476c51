#pragma once
// Takes what operators propose for one file of a translation unit, as sites.

#include <clang/AST/ASTContext.h>
#include <map>
#include <set>
#include <tuple>

#include "mutants/rewrite/spots.h"
#include "mutants/rewrite/walk.h"

namespace kiln::mutants {

class FileProposals final : public BodyProposals {
 public:
  FileProposals(const clang::ASTContext& context, Spots& spots, clang::FileID file, Kind kind,
                const Subject& subject)
      : context_(context), spots_(spots), file_(file), kind_(kind), subject_(subject) {}

  FileFacts facts;

  clang::FileID file() const { return file_; }
  void add_tick(const clang::Stmt& body) override;

  void choose(const clang::Expr& original, std::vector<Variant> variants, bool comparable) override;
  void drop(const clang::Stmt& statement, std::string_view oper) override;
  void insert_before(const clang::Stmt& statement, std::string_view oper,
                     std::string text) override;
  void insert_after(const clang::Stmt& statement, std::string_view oper, std::string text) override;
  void swap(const clang::Stmt& earlier, const clang::Stmt& later, std::string_view oper) override;
  void replace(const clang::Stmt& statement, std::string_view oper, std::string text) override;
  void unmade(const clang::Stmt& node, std::string_view oper, std::string reason) override;
  std::string source_text(const clang::Stmt& node) const override { return spots_.text(node); }

 private:
  void add_statement(Shape shape, const clang::Stmt& statement, std::string_view oper,
                     const std::string& text);
  void add(Site site);
  void refuse(Span span, std::string_view oper, std::string reason);
  /// Why the expression cannot be switched; empty: it can.
  std::string choice_problem(const clang::Expr& original);
  std::string cast_of(const clang::Expr& original, Shape shape, const std::string& line);
  Site& choice_at(Span span, const clang::Expr& original, const std::string& line);

  const clang::ASTContext& context_;
  Spots& spots_;
  clang::FileID file_;
  Kind kind_;
  const Subject& subject_;
  std::map<std::tuple<Shape, uint32_t, uint32_t>, size_t> choices_;
  std::set<std::tuple<Shape, uint32_t, uint32_t, std::string, std::string>> statements_;
  std::set<std::tuple<uint32_t, uint32_t, std::string, std::string>> refused_;
};

} // namespace kiln::mutants
