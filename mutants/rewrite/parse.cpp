#include "mutants/rewrite/parse.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace kiln::mutants {
namespace {

namespace tooling = clang::tooling;

/// Keeps errors, with the notes that follow them.
class Listener : public clang::DiagnosticConsumer {
 public:
  explicit Listener(const std::string& directory) : directory_(directory) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level >= clang::DiagnosticsEngine::Error) {
      llvm::SmallString<128> text;
      diagnostic.FormatDiagnostic(text);
      complaints.push_back({{}, std::string(text), ""});
      add_place(diagnostic);
    } else if (level == clang::DiagnosticsEngine::Note && last_was_error_) {
      add_place(diagnostic);
      return;
    }
    last_was_error_ = level >= clang::DiagnosticsEngine::Error;
  }

  std::vector<Complaint> complaints;

 private:
  void add_place(const clang::Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    clang::SourceLocation at = sources.getFileLoc(diagnostic.getLocation());
    auto [file, offset] = sources.getDecomposedLoc(at);
    auto entry = sources.getFileEntryRefForID(file);
    if (!entry) return;
    Complaint& complaint = complaints.back();
    if (complaint.places.empty()) {
      complaint.where = at.printToString(sources);
    }
    complaint.places.push_back({absolute_path(entry->getName().str(), directory_), offset});
  }

  const std::string& directory_;
  bool last_was_error_ = false;
};

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(clang::CompilerInstance& compiler, const Unit& unit, const ParseOptions& options)
      : compiler_(compiler), unit_(unit), options_(options) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (options_.tree) options_.tree(context, compiler_.getPreprocessor());
  }

  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    const clang::SourceManager& sources = compiler_.getSourceManager();
    clang::FileID file = sources.getFileID(sources.getFileLoc(declaration->getLocation()));
    auto [found, fresh] = skipped_.try_emplace(file, false);
    if (fresh) {
      auto entry = sources.getFileEntryRefForID(file);
      found->second =
          entry && options_.wants_bodies &&
          !options_.wants_bodies(absolute_path(entry->getName().str(), unit_.directory));
    }
    return found->second;
  }

 private:
  clang::CompilerInstance& compiler_;
  const Unit& unit_;
  const ParseOptions& options_;
  std::map<clang::FileID, bool> skipped_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(const Unit& unit, const ParseOptions& options) : unit_(unit), options_(options) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<Consumer>(compiler, unit_, options_);
  }

 private:
  const Unit& unit_;
  const ParseOptions& options_;
};

class Factory : public tooling::FrontendActionFactory {
 public:
  Factory(const Unit& unit, const ParseOptions& options) : unit_(unit), options_(options) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<Action>(unit_, options_);
  }
  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager* files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer* listener) override {
    invocation->getFrontendOpts().SkipFunctionBodies = true; // see Consumer
    return FrontendActionFactory::runInvocation(std::move(invocation), files, std::move(containers),
                                                listener);
  }

 private:
  const Unit& unit_;
  const ParseOptions& options_;
};

bool is_cxx(llvm::StringRef file) {
  llvm::StringRef ending = llvm::sys::path::extension(file);
  return ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C" ||
         ending == ".c++";
}

/// "-I<mirror>" and the header that a rewritten source is given.
bool speaks_of(const std::string& argument, const std::string& mirror) {
  return argument.find(mirror) != std::string::npos;
}

std::vector<std::string> original_arguments(std::vector<std::string> arguments,
                                            const std::string& root, const std::string& mirror) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string& argument = arguments[i];
    if (mirror.empty() || !speaks_of(argument, mirror)) {
      kept.push_back(std::move(argument));
    } else if (argument.starts_with(mirror + "/") && kept.back() != "-include") {
      kept.push_back(root + argument.substr(mirror.size()));
    } else if (!argument.starts_with("-")) {
      kept.pop_back(); // the option that it belongs to
    }
  }
  return kept;
}

std::vector<std::string> syntax_only(const std::vector<std::string>& arguments,
                                     const std::string& file) {
  tooling::ArgumentsAdjuster adjust = tooling::combineAdjusters(
      tooling::getClangStripOutputAdjuster(),
      tooling::combineAdjusters(tooling::getClangStripDependencyFileAdjuster(),
                                tooling::getClangSyntaxOnlyAdjuster()));
  std::vector<std::string> adjusted = adjust(arguments, file);
  for (const char* more : {"-w", "-ferror-limit=0", "-Qunused-arguments"}) {
    adjusted.emplace_back(more);
  }
  return adjusted;
}

} // namespace

std::string absolute_path(std::string name, const std::string& directory) {
  llvm::SmallString<256> path(name);
  llvm::sys::fs::make_absolute(directory, path);
  llvm::sys::path::remove_dots(path, true);
  return std::string(path);
}

std::vector<Unit> load_units(const std::string& build, const std::string& root,
                             const std::string& mirror, std::string* error) {
  std::string why;
  auto database = tooling::CompilationDatabase::loadFromDirectory(build, why);
  if (database == nullptr) {
    *error = "there is no readable compile_commands.json in '" + build +
             "'; let CMake write one (CMAKE_EXPORT_COMPILE_COMMANDS)";
    return {};
  }
  std::map<std::string, Unit> units;
  for (const tooling::CompileCommand& command : database->getAllCompileCommands()) {
    std::string file = absolute_path(command.Filename, command.Directory);
    if (!mirror.empty() && file.starts_with(mirror + "/")) {
      file = root + file.substr(mirror.size());
    }
    if (!is_cxx(file) || units.contains(file)) continue;
    units[file] = {file, command.Directory, original_arguments(command.CommandLine, root, mirror)};
  }
  std::vector<Unit> sorted;
  for (auto& [file, unit] : units) {
    sorted.push_back(std::move(unit));
  }
  if (sorted.empty()) *error = "compile_commands.json in '" + build + "' names no C++ file";
  return sorted;
}

std::vector<Complaint> parse_unit(const Unit& unit, const ParseOptions& options) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  if (options.overlay != nullptr) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const auto& [path, text] : *options.overlay) {
      memory->addFileNoOwn(path, 0, llvm::MemoryBufferRef(text, path));
    }
    files->pushOverlay(memory);
  }
  files->setCurrentWorkingDirectory(unit.directory);
  auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), files);

  std::vector<std::string> arguments = syntax_only(unit.arguments, unit.file);
  if (!options.forced_include.empty()) {
    arguments.insert(arguments.begin() + 1, {"-include", options.forced_include});
  }
  Listener listener(unit.directory);
  Factory factory(unit, options);
  tooling::ToolInvocation invocation(arguments, &factory, manager.get(),
                                     std::make_shared<clang::PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&listener);
  bool fine = invocation.run();
  if (!fine && listener.complaints.empty()) {
    listener.complaints.push_back({{}, "clang does not take its flags", unit.file});
  }
  return std::move(listener.complaints);
}

} // namespace kiln::mutants
