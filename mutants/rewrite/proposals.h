#pragma once
// Takes what operators propose for one file of a translation unit, as sites.

#include <clang/AST/ASTContext.h>
#include <map>
#include <set>
#include <tuple>

#include "mutants/operators/operator.h"
#include "mutants/rewrite/spots.h"
#include "mutants/rewrite/walk.h"

namespace kiln::mutants {

class FileProposals final : public Proposals {
 public:
  FileProposals(const clang::ASTContext& context, Spots& spots, clang::FileID file, Kind kind,
                const Subject& subject)
      : context_(const_cast<clang::ASTContext&>(context)), spots_(spots), file_(file), kind_(kind),
        subject_(subject) {}

  /// Of the function whose nodes are looked at next.
  struct Where {
    std::string function;
    bool by_compiler = false;
    std::string constant; ///< why the compiler needs a constant here; empty: it does not
  };
  Where where;
  FileFacts facts;

  clang::FileID file() const { return file_; }
  Kind kind() const { return kind_; }
  void add_tick(const clang::Stmt& body);

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

  clang::ASTContext& context_;
  Spots& spots_;
  clang::FileID file_;
  Kind kind_;
  const Subject& subject_;
  std::map<std::tuple<Shape, uint32_t, uint32_t>, size_t> choices_;
  std::map<std::tuple<Shape, uint32_t, uint32_t, std::string, std::string>, bool> statements_;
  std::set<std::tuple<uint32_t, uint32_t, std::string, std::string>> refused_;
};

} // namespace kiln::mutants
