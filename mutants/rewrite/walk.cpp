#include "mutants/rewrite/walk.h"

#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Preprocessor.h>

#include "mutants/rewrite/parse.h"
#include "mutants/rewrite/proposals.h"

namespace kiln::mutants {
namespace {

using namespace clang;

/// Finds the functions of a unit that are written in the subject's files.
class UnitWalk {
 public:
  UnitWalk(ASTContext& context, Preprocessor& preprocessor, const Subject& subject,
           const Roles& roles, const Operators& operators, const std::string& directory)
      : context_(context), subject_(subject), roles_(roles), operators_(operators),
        directory_(directory), spots_(context, preprocessor, roles) {}

  std::vector<FileFacts> walk() {
    limit_parents();
    for (const Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
      walk(*declaration);
    }
    std::vector<FileFacts> facts;
    for (FileID file : order_) {
      facts.push_back(std::move(files_[file]->facts));
    }
    return facts;
  }

 private:
  /// Parents of nodes are asked for in the subject's files only.
  void limit_parents() {
    std::vector<Decl*> scope;
    for (Decl* declaration : context_.getTranslationUnitDecl()->decls()) {
      if (proposals_at(declaration->getLocation()) != nullptr) scope.push_back(declaration);
    }
    context_.setTraversalScope(scope);
  }

  void walk(const Decl& declaration) {
    if (declaration.isImplicit() || declaration.isInvalidDecl()) return;
    if (const auto* space = dyn_cast<NamespaceDecl>(&declaration)) {
      if (proposals_at(space->getLocation()) != nullptr) walk_all(*space);
    } else if (const auto* linkage = dyn_cast<LinkageSpecDecl>(&declaration)) {
      walk_all(*linkage);
    } else if (const auto* open = dyn_cast<ExportDecl>(&declaration)) {
      walk_all(*open);
    } else if (const auto* of_class = dyn_cast<ClassTemplateDecl>(&declaration)) {
      walk(*of_class->getTemplatedDecl());
    } else if (const auto* of_function = dyn_cast<FunctionTemplateDecl>(&declaration)) {
      walk(*of_function->getTemplatedDecl());
    } else if (const auto* record = dyn_cast<CXXRecordDecl>(&declaration)) {
      walk_all(*record);
    } else if (const auto* is_friend = dyn_cast<FriendDecl>(&declaration)) {
      if (is_friend->getFriendDecl() != nullptr) walk(*is_friend->getFriendDecl());
    } else if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
      walk_function(*function);
    }
  }

  void walk_all(const DeclContext& declarations) {
    for (const Decl* declaration : declarations.decls()) {
      walk(*declaration);
    }
  }

  void walk_function(const FunctionDecl& function) {
    if (!function.doesThisDeclarationHaveABody() || function.isDefaulted() ||
        function.getBody() == nullptr) {
      return;
    }
    FileProposals* proposals = proposals_at(function.getBody()->getBeginLoc());
    if (proposals == nullptr) return;
    if (auto span = spots_.range(function.getBody()->getSourceRange(), proposals->file());
        span && isa<CompoundStmt>(function.getBody())) {
      proposals->facts.bodies.push_back(
          {*span, function.getQualifiedNameAsString(), function.isConstexpr()});
    }
    walk_body(function, {context_, roles_}, operators_, *proposals);
  }

  /// Null: the file is none of the subject's.
  FileProposals* proposals_at(SourceLocation at) {
    const SourceManager& sources = context_.getSourceManager();
    FileID file = sources.getFileID(sources.getFileLoc(at));
    auto [found, fresh] = files_.try_emplace(file, nullptr);
    if (fresh) {
      auto entry = sources.getFileEntryRefForID(file);
      std::string path =
          entry ? subject_.relative(absolute_path(entry->getName().str(), directory_)) : "";
      if (std::optional<Kind> kind = subject_.kind_of(path)) {
        found->second = std::make_unique<FileProposals>(context_, spots_, file, *kind, subject_);
        found->second->facts.path = path;
        found->second->facts.text = sources.getBufferData(file).str();
        order_.push_back(file);
      }
    }
    return found->second.get();
  }

  ASTContext& context_;
  const Subject& subject_;
  const Roles& roles_;
  const Operators& operators_;
  const std::string& directory_;
  Spots spots_;
  std::map<FileID, std::unique_ptr<FileProposals>> files_;
  std::vector<FileID> order_;
};

} // namespace

std::vector<FileFacts> walk_unit(ASTContext& context, Preprocessor& preprocessor,
                                 const Subject& subject, const Roles& roles,
                                 const Operators& operators, const std::string& directory) {
  return UnitWalk(context, preprocessor, subject, roles, operators, directory).walk();
}

} // namespace kiln::mutants
