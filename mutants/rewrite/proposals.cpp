#include "mutants/rewrite/proposals.h"

#include <algorithm>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include "mutants/operators/ast.h"
#include "mutants/operators/text.h"

namespace kiln::mutants {
namespace {

using namespace clang;

constexpr size_t kMostVariants = 254;
constexpr const char* kNotOneLine = "It cannot be written in one line.";

/// Only its value is used, not where it is.
bool is_read(const Expr& expression, const ASTContext& context) {
  if (!expression.isGLValue()) return true;
  const Stmt* parent = parent_of(expression, context);
  while (parent != nullptr && isa<ParenExpr>(parent)) {
    parent = parent_of(*parent, context);
  }
  const auto* cast = dyn_cast_or_null<ImplicitCastExpr>(parent);
  return cast != nullptr && cast->getCastKind() == CK_LValueToRValue;
}

/// An object of a class is copied or moved from it.
bool is_copied(const Expr& expression, const ASTContext& context) {
  const auto* made = dyn_cast_or_null<CXXConstructExpr>(parent_of(expression, context));
  return made != nullptr && made->getConstructor()->isCopyOrMoveConstructor();
}

/// A conversion to bool that nobody has written.
bool is_truth(const Expr& original) {
  const auto* cast = dyn_cast<ImplicitCastExpr>(&original);
  return cast != nullptr && cast->getType()->isBooleanType() &&
         !cast->IgnoreImpCasts()->getType()->isBooleanType();
}

/// A constant in braces may become narrower; what is no constant may not. The type it becomes, or
/// nothing.
std::string narrowed_in_braces(const Expr& original, const ASTContext& context) {
  const Stmt* parent = parent_of(original, context);
  const auto* cast = dyn_cast_or_null<ImplicitCastExpr>(parent);
  if (cast == nullptr || cast->getCastKind() != CK_IntegralCast) return "";
  const Stmt* user = parent_of(*cast, context);
  const auto* made = dyn_cast_or_null<CXXConstructExpr>(user);
  bool braces =
      isa_and_nonnull<InitListExpr>(user) || (made != nullptr && made->isListInitialization());
  QualType type = cast->getType().getCanonicalType().getUnqualifiedType();
  return braces && type->isBuiltinType() ? type.getAsString(context.getPrintingPolicy()) : "";
}

} // namespace

std::string FileProposals::choice_problem(const Expr& original) {
  if (!where.constant.empty()) return where.constant;
  if (isa<InitListExpr>(original)) return "Braces are no expression.";
  QualType type = original.getType();
  if (!type.isNull() && type->isVoidType()) return "It has no value.";
  if (original.isTypeDependent()) return "";
  if (original.isGLValue() && type->isRecordType() && is_copied(original, context_)) {
    return "An object would be copied once more.";
  }
  if (original.isGLValue() && original.refersToBitField()) {
    return "The type of a bit field would not survive.";
  }
  return "";
}

std::string FileProposals::cast_of(const Expr& original, Shape shape, const std::string& line) {
  if (original.isTypeDependent() || shape == Shape::kTruth) return "";
  if (!is_read(original, context_)) return "decltype((" + line + "))";
  QualType type = original.getType();
  // Narrower than int: the common type with a computed value would be int.
  if (type->isIntegralType(context_) && !type->isBooleanType() &&
      context_.getTypeSize(type) < context_.getTypeSize(context_.IntTy)) {
    return "__typeof__(" + line + ")";
  }
  return narrowed_in_braces(original, context_);
}

Site& FileProposals::choice_at(Span span, const Expr& original, const std::string& line) {
  Shape shape = is_truth(original) ? Shape::kTruth : Shape::kChoice;
  auto [found, fresh] = choices_.try_emplace({shape, span.begin, span.end}, facts.sites.size());
  if (fresh) {
    Site site;
    site.shape = shape;
    site.span = span;
    site.line = line;
    site.by_compiler = where.by_compiler;
    site.function = where.function;
    site.cast = cast_of(original, shape, line);
    facts.sites.push_back(std::move(site));
  }
  return facts.sites[found->second];
}

void FileProposals::choose(const Expr& original, std::vector<Variant> variants, bool comparable) {
  std::erase_if(variants,
                [&](const Variant& v) { return !subject_.wants(v.oper, facts.path, kind_); });
  std::optional<Span> span = spots_.expression(original, file_);
  if (!span || variants.empty()) return;
  std::string problem = choice_problem(original);
  std::optional<std::string> line = one_line(spots_.text(*span, file_));
  if (!line) problem = kNotOneLine;
  for (Variant& variant : variants) {
    std::optional<std::string> text = one_line(variant.text);
    if (!problem.empty() || !text) {
      refuse(*span, variant.oper, problem.empty() ? kNotOneLine : problem);
      continue;
    }
    std::vector<SiteVariant>& there = choice_at(*span, original, *line).variants;
    bool known = std::any_of(there.begin(), there.end(),
                             [&](const SiteVariant& v) { return v.text == *text; });
    if (!known && there.size() < kMostVariants) {
      there.push_back({std::move(variant.oper), std::move(*text), comparable});
    }
  }
}

void FileProposals::add(Site site) {
  site.by_compiler = where.by_compiler;
  site.function = where.function;
  facts.sites.push_back(std::move(site));
}

void FileProposals::refuse(Span span, std::string_view oper, std::string reason) {
  if (!refused_.emplace(span.begin, span.end, oper, reason).second) return;
  facts.unmade.push_back({span, std::string(oper), std::move(reason)});
}

void FileProposals::add_statement(Shape shape, const Stmt& statement, std::string_view oper,
                                  const std::string& text) {
  if (!subject_.wants(oper, facts.path, kind_)) return;
  std::optional<Span> span = spots_.statement(statement, file_);
  if (!span) return;
  bool bare = isa<DeclStmt>(statement);
  std::optional<std::string> line = one_line(text);
  if (!where.constant.empty() || !line ||
      (bare && (shape == Shape::kDrop || shape == Shape::kReplace))) {
    refuse(*span, oper,
           !where.constant.empty() ? where.constant
           : !line                 ? kNotOneLine
                                   : "A declaration cannot be left out.");
    return;
  }
  std::tuple key(shape, span->begin, span->end, std::string(oper), *line);
  if (!statements_.insert(key).second) return;
  Site site;
  site.shape = shape;
  site.span = *span;
  site.bare = bare;
  site.variants.push_back({std::string(oper), std::move(*line), false});
  add(std::move(site));
}

void FileProposals::drop(const Stmt& statement, std::string_view oper) {
  add_statement(Shape::kDrop, statement, oper, "");
}
void FileProposals::insert_before(const Stmt& statement, std::string_view oper, std::string text) {
  add_statement(Shape::kBefore, statement, oper, text);
}
void FileProposals::insert_after(const Stmt& statement, std::string_view oper, std::string text) {
  add_statement(Shape::kAfter, statement, oper, text);
}
void FileProposals::replace(const Stmt& statement, std::string_view oper, std::string text) {
  add_statement(Shape::kReplace, statement, oper, text);
}

void FileProposals::swap(const Stmt& earlier, const Stmt& later, std::string_view oper) {
  if (!subject_.wants(oper, facts.path, kind_)) return;
  std::optional<Span> first = spots_.statement(earlier, file_);
  std::optional<Span> second = spots_.statement(later, file_);
  if (!first || !second || second->begin < first->end) return;
  Span whole{first->begin, second->end};
  std::optional<std::string> line = one_line(spots_.text(*second, file_));
  if (!where.constant.empty() || !line) {
    refuse(whole, oper, line ? where.constant : kNotOneLine);
    return;
  }
  std::tuple key(Shape::kSwap, whole.begin, whole.end, std::string(oper), *line);
  if (!statements_.insert(key).second) return;
  Site site;
  site.shape = Shape::kSwap;
  site.span = *first;
  site.later = *second;
  site.line = std::move(*line);
  site.variants.push_back({std::string(oper), "", false});
  add(std::move(site));
}

void FileProposals::unmade(const Stmt& node, std::string_view oper, std::string reason) {
  std::optional<Span> span = spots_.expression(node, file_);
  if (span && subject_.wants(oper, facts.path, kind_)) refuse(*span, oper, std::move(reason));
}

void FileProposals::add_tick(const Stmt& body) {
  std::optional<Span> span = spots_.statement(body, file_);
  if (!span || !where.constant.empty()) return;
  if (isa<CompoundStmt>(body)) {
    span = Span{span->begin + 1, span->begin + 1};
  }
  auto key = std::tuple(Shape::kTick, span->begin, span->end, std::string(), std::string());
  if (!statements_.insert(key).second) return;
  Site site;
  site.shape = Shape::kTick;
  site.span = *span;
  add(std::move(site));
}

} // namespace kiln::mutants
