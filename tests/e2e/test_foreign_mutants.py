"""kiln-mutator on code that is not ours: the headers of CLI11, as Debian's package has them, and a
program that uses them with no machine around it (mutants/standalone/runtime.cpp)."""

import json
import os
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support import EndToEnd, PROGRAM, ROOT

MUTATOR = Path(PROGRAM).parent / "kiln-mutator"
LIBRARY = Path("/usr/include/CLI")
DEMO = """
#include <iostream>
#include <CLI/CLI.hpp>
int main(int count, char** words) {
  CLI::App app{"demo", "demo"};
  int number = 7;
  bool loud = false;
  std::vector<std::string> names;
  app.add_option("-n,--number", number)->check(CLI::Range(0, 100));
  app.add_flag("--loud", loud);
  app.add_option("names", names)->expected(0, 3);
  CLI::App* sub = app.add_subcommand("sub");
  double factor = 1;
  sub->add_option("--factor", factor)->required();
  CLI11_PARSE(app, count, words);
  std::cout << number << loud << factor << sub->parsed();
  for (const std::string& name : names) std::cout << ' ' << name;
  std::cout << std::endl;
}
"""
CALLS = [[], ["-n", "5"], ["--number=100", "--loud"], ["-n", "101"], ["-n", "x"], ["a", "b", "c"],
         ["a", "b", "c", "d"], ["sub"], ["sub", "--factor", "2.5"], ["--lout"], ["--help"]]


@unittest.skipUnless(MUTATOR.exists(), "kiln-mutator is not built here")
class ForeignMutants(EndToEnd):
    def run_command(self, *words):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def outcomes(self, program, mutant=None):
        environment = dict(os.environ, KILN_MUTANT=str(mutant)) if mutant is not None else None
        return [(done.returncode, done.stdout, done.stderr) for done in
                (subprocess.run([f"./{program}", *call], cwd=self.folder, capture_output=True, timeout=60,
                                env=environment) for call in CALLS)]

    def test_all_mutants_in_one_program_that_behaves_as_the_original(self):
        (self.folder / "demo.cpp").write_text(DEMO)
        compiler = ["clang++-19", "-std=c++17", "-O0", f"-I{LIBRARY.parent}"]
        (self.folder / "compile_commands.json").write_text(json.dumps([{
            "directory": str(self.folder), "file": "demo.cpp",
            "arguments": [*compiler, "-c", "demo.cpp", "-o", "demo.o"]}]))
        said = self.run_command(MUTATOR, "--build", ".", "--root", LIBRARY.parent, "--mutate", LIBRARY.name,
                                "--out", "mutated").stderr
        mutants = json.loads((self.folder / "mutated/mutants.json").read_text())["mutants"]
        print(said.splitlines()[-1])
        self.assertGreater(len(mutants), 500)

        self.run_command(*compiler, "demo.cpp", "-o", "original")
        self.run_command("clang++-19", "-std=c++20", "-O0", "-w", "-Imutated", f"-I{ROOT}", "-include",
                         "mutated/kiln_mutants.h", "demo.cpp", "mutated/mutant_table.cpp",
                         ROOT / "mutants/standalone/runtime.cpp", "-o", "mutant")
        original = self.outcomes("original")
        self.assertEqual(original, self.outcomes("mutant"))

        sample = range(0, len(mutants), max(1, len(mutants) // 100))
        with ThreadPoolExecutor(2) as pool:
            noticed = sum(pool.map(lambda number: self.outcomes("mutant", number) != original, sample))
        print(f"{noticed} of {len(sample)} mutants change what the program does")
        self.assertGreater(noticed, 10)
