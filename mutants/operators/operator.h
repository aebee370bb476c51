#pragma once
// What an operator of mutation is: it looks at one node of the syntax tree at a time and proposes
// edits. It writes no text of the file itself and knows nothing of switches; the frame
// (mutants/rewrite/) joins the proposals of all operators to one text, checks that the result
// compiles, and takes out again what does not.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::mutants {

class Roles;

/// What is known of where a node stands.
struct Place {
  const clang::ASTContext& context;
  const Roles& roles;
};

/// One other text for an expression.
struct Variant {
  std::string oper; ///< "boundary"
  std::string text; ///< of the original's type; may use source_text() of subexpressions
};

class Proposals {
 public:
  virtual ~Proposals() = default;

  /// Another value for an expression. `original` may be an implicit conversion to bool, whose text
  /// has another type, a glvalue, or a statement expression that is one whole macro call.
  /// `comparable`: neither text has side effects and both are
  /// arithmetic, pointers or enumerators, so that they can both be evaluated and compared.
  virtual void choose(const clang::Expr& original, std::vector<Variant> variants,
                      bool comparable) = 0;
  /// The statement (not a declaration) is not executed.
  virtual void drop(const clang::Stmt& statement, std::string_view oper) = 0;
  /// Further text before or after a statement, as in "return;" or "continue;".
  virtual void insert_before(const clang::Stmt& statement, std::string_view oper,
                             std::string text) = 0;
  virtual void insert_after(const clang::Stmt& statement, std::string_view oper,
                            std::string text) = 0;
  /// `later` runs before `earlier`: neighbours in one compound statement, neither a declaration.
  virtual void swap(const clang::Stmt& earlier, const clang::Stmt& later,
                    std::string_view oper) = 0;
  /// `text` runs in the statement's place.
  virtual void replace(const clang::Stmt& statement, std::string_view oper, std::string text) = 0;
  /// The place is of this operator's kind but cannot be switched; `reason` is one sentence.
  virtual void unmade(const clang::Stmt& node, std::string_view oper, std::string reason) = 0;

  /// The source text of a node, as written.
  virtual std::string source_text(const clang::Stmt& node) const = 0;
};

class Operator {
 public:
  virtual ~Operator() = default;
  /// Names of the mutants it makes, with one sentence each: for `--operators` and the docs.
  struct Name {
    std::string_view name;
    std::string_view text;
    bool judged = true;   ///< false: made and counted, but nothing yet can see it
    bool harness = false; ///< breaks a harness (targets, worlds, generators), not the kernel
  };
  virtual std::vector<Name> names() const = 0;
  /// Called for every expression of a function's body. What is proposed where the compiler needs a
  /// constant becomes an unmade mutant.
  virtual void look_at(const clang::Expr&, const Place&, Proposals&) {}
  /// Called for every statement that is no expression.
  virtual void look_at(const clang::Stmt&, const Place&, Proposals&) {}
  /// Called for every function with a body.
  virtual void look_at(const clang::FunctionDecl&, const Place&, Proposals&) {}
};

/// All operators, in the order in which their mutants are numbered.
std::vector<std::unique_ptr<Operator>> all_operators();

/// No side effects as far as can be told: built-in operations, and calls of const members and of
/// constexpr functions whose parameters are values or const references.
bool is_pure(const clang::Expr& expression);

} // namespace kiln::mutants
