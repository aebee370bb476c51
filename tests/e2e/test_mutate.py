"""mutate, and replay with a mutant armed. Most of it needs a program with mutants: that of the
flavour `mutants`; of any other, only what it refuses is looked at."""

import json
import re
import subprocess
import unittest

from support import EndToEnd, FINDING, INCONCLUSIVE, NOTHING, PROGRAM, ROOT, USAGE

A_FILE = "kernel-src/boot/cmdline.cpp"
A_TARGET = "boot/cmdline"


def has_mutants():
    done = subprocess.run([PROGRAM, "replay", A_TARGET, "/dev/null", "--mutant", "4294967295"],
                          capture_output=True, text=True)
    return "There is no mutant 4294967295" in done.stderr


class MutateRefuses(EndToEnd):
    @unittest.skipIf(has_mutants(), "this program has mutants")
    def test_a_program_without_mutants(self):
        self.refused("mutate", says="has no mutants: build the flavour 'mutants'")
        tape = self.folder / "empty.hex"
        tape.write_text("")
        self.refused("replay", A_TARGET, tape, "--mutant", "0", says="--flavour mutants")

    def test_bad_options(self):
        self.refused("mutate", "--budget", "0", says="no whole number from 1")
        self.refused("mutate", "--threshold", "101", says="no whole number from 0 to 100")
        self.refused("mutate", "--mutant", "x", says="no whole number")


@unittest.skipUnless(has_mutants(), "this program has no mutants")
class Mutate(EndToEnd):
    def results(self, out="out"):
        lines = (self.folder / out / "mutation" / "results.jsonl").read_text().splitlines()[1:]
        return {result["mutant"]: result for result in map(json.loads, lines)}

    def test_refusals(self):
        self.refused("mutate", "kernel-src/boot/cmdlin.cpp", says="neither a target nor a file with mutants. Did you mean")
        self.refused("mutate", A_FILE, "--operators", "bounday", says="No mutant here is of the operator 'bounday'")
        self.refused("mutate", "--since", "no-such-revision", says="knows no revision 'no-such-revision'", cwd=ROOT)
        self.refused("mutate", "--mutant", "4294967295", says="There is no mutant 4294967295")

    def test_results_do_not_depend_on_jobs(self):
        for jobs in ("1", "3"):
            self.kiln("mutate", A_FILE, A_TARGET, "--budget", "500", "--jobs", jobs, "--out", jobs)
        one, three = self.results("1"), self.results("3")
        self.assertGreater(len(one), 3)
        self.assertEqual(one, three)

    def test_a_run_goes_on_where_it_ended(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "300")
        whole = self.results()
        file = self.folder / "out" / "mutation" / "results.jsonl"
        lines = file.read_text().splitlines()
        file.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "300")
        self.assertEqual(self.results(), whole)

    def test_a_kill_can_be_looked_at(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "500")
        killed = [r for r in self.results().values() if r["verdict"] == "killed" and r["tape"]]
        self.assertTrue(killed)
        number = killed[0]["mutant"]
        done = self.expect(NOTHING, "mutate", A_TARGET, "--mutant", number, "--budget", "500")
        self.assertIn(f"killed by {A_TARGET}", done.stdout)
        tape = f"out/mutation/{number}.hex"
        shown = self.expect(FINDING, "replay", A_TARGET, tape, "--mutant", number)
        self.assertIn(killed[0]["headline"], shown.stdout)
        self.expect(NOTHING, "replay", A_TARGET, tape)

    def test_no_changed_line_is_no_failure(self):
        done = self.kiln("mutate", "--since", "HEAD", "*/no-such-file*", cwd=ROOT)
        self.assertEqual(done.returncode, USAGE)

    def test_the_threshold_decides(self):
        words = ["mutate", A_FILE, "example/table", "--operators", "boundary", "--budget", "20", "--threshold"]
        self.expect(NOTHING, *words, "0")
        done = self.expect(FINDING, *words, "100")
        self.assertRegex(done.stdout, r"not reached")

    def test_the_code_of_a_survivor_is_compared(self):
        words = ["mutate", A_FILE, "example/table", "--operators", "boundary", "--budget", "20", "--threshold", "0"]
        done = self.expect(NOTHING, *words)
        self.assertNotIn("compared", done.stderr)
        first = self.results()
        self.assertTrue(first)
        self.assertTrue(all(result["compared"] for result in first.values()), first)
        self.assertFalse([result for result in first.values() if "reason" in result])
        self.assertFalse((self.folder / "out" / "mutation" / "compare").exists())
        self.expect(NOTHING, *words)
        self.assertEqual(self.results(), first)


if __name__ == "__main__":
    unittest.main()
