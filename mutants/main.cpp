// kiln-mutator: rewrites a kernel's sources so that every mutant of them is in one program, behind
// a switch. docs/mutation.md says what for.

#include <CLI/CLI.hpp>
#include <iostream>

#include "mutants/rewrite/command.h"

namespace {

using kiln::mutants::Options;

void add_options(CLI::App& app, Options& options) {
  app.add_option("--build", options.build, "folder of compile_commands.json")->type_name("DIR");
  app.add_option("--root", options.root, "top of the checkout")->type_name("DIR");
  app.add_option("--mutate", options.mutate, "folders of the kernel, from the top; . is all")
      ->type_name("FOLDER...");
  app.add_option("--harness", options.harness, "folders of the harness")->type_name("FOLDER...");
  app.add_option("--roles", options.roles, "what functions and classes are for")->type_name("FILE");
  app.add_option("--named", options.named, "folder of patches, each a mutant")->type_name("DIR");
  app.add_option("--operators", options.operators, "only these")->delimiter(',')->type_name("LIST");
  app.add_option_function<std::vector<std::string>>(
         "--files",
         [&options](const std::vector<std::string>& files) {
           options.files.emplace();
           for (const std::string& file : files) {
             if (!file.empty()) options.files->push_back(file);
           }
         },
         "operators only for these files, from the top; '' for none but the named")
      ->delimiter(',')
      ->type_name("LIST");
  app.add_option("--out", options.out, "folder for the rewritten tree")->type_name("DIR");
  app.add_option("--jobs", options.jobs, "threads")->type_name("N")->check(CLI::Range(1, 256));
  app.add_flag("--list-operators", options.list_operators, "names of mutants, a line each");
}

} // namespace

int main(int count, char** words) {
  CLI::App app{"Puts every mutant of C++ sources behind a switch of one program"};
  Options options;
  add_options(app, options);
  try {
    app.parse(count, words);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& problem) {
    std::cerr << "kiln-mutator: " << problem.what() << "; --help lists the options\n";
    return 2;
  }
  return kiln::mutants::run(options);
}
