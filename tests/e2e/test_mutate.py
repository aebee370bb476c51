"""mutate, and replay with a mutant armed. Most of it needs a program with mutants: that of the
flavour `mutants`; of any other, only what it refuses is looked at."""

import json
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

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
    def journals(self, out="out"):
        return list((self.folder / out / "mutation").glob("results-*.jsonl"))

    def results(self, out="out"):
        """Of the only run there."""
        [file] = self.journals(out)
        return {result["mutant"]: result for result in map(json.loads, file.read_text().splitlines()[1:])}

    def test_refusals(self):
        self.refused("mutate", "kernel-src/boot/cmdlin.cpp", says="neither a target nor a file with mutants. Did you mean")
        self.refused("mutate", A_FILE, "--operators", "bounday", says="No mutant here is of the operator 'bounday'")
        self.refused("mutate", "--since", "no-such-revision", says="knows no revision 'no-such-revision'", cwd=ROOT)
        self.refused("mutate", "--mutant", "4294967295", says="There is no mutant 4294967295")

    def test_results_do_not_depend_on_jobs(self):
        # A neighbour with hungry inputs: the bound on loops, which a hang's headline tells, is the target's own.
        for jobs in ("1", "3"):
            self.kiln("mutate", A_FILE, "boot/acpi", A_TARGET, "--budget", "2100", "--jobs", jobs, "--out", jobs)
        one, three = self.results("1"), self.results("3")
        self.assertGreater(len(one), 3)
        self.assertEqual(one, three)

    def test_a_run_goes_on_where_it_ended(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "300")
        whole = self.results()
        [file] = self.journals()
        lines = file.read_text().splitlines()
        file.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "300")
        self.assertEqual(self.results(), whole)

    def test_a_run_of_a_part_leaves_the_whole_alone(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "300")
        whole = self.results()
        [file] = self.journals()
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "20")
        self.assertEqual(len(self.journals()), 2)

        def held():
            lines = file.read_text().splitlines()[1:]
            return {result["mutant"]: result for result in map(json.loads, lines)}

        self.assertEqual(held(), whole)
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "300")
        self.assertEqual(held(), whole)
        self.assertTrue(whole)

    def test_a_longer_recording_serves(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "100", "--out", "fresh")
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "1000", "--out", "longer")
        for journal in self.journals("longer"):
            journal.unlink()
        [recording] = (self.folder / "longer" / "mutation" / "recorded").iterdir()
        before = recording.stat().st_mtime_ns
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "100", "--out", "longer")
        self.assertEqual(recording.stat().st_mtime_ns, before)
        self.assertEqual(self.results("longer"), self.results("fresh"))

    def test_named_mutants_of_some_targets(self):
        patches = [patch.read_text() for patch in (ROOT / "gates" / "mutants").glob("*.patch")]
        wanted = sum(f"Target: {A_TARGET}\n" in patch for patch in patches)
        self.kiln("mutate", "--named", A_TARGET, "--budget", "50")
        self.assertEqual(len(self.results()), wanted)

    def test_an_interrupted_matrix_is_inconclusive(self):
        words = ["mutate", A_FILE, A_TARGET, "--budget", "20000", "--threshold", "0"]
        self.expect(NOTHING, *words)
        run = self.start(*words, "--matrix")
        status = Path(f"/proc/{run.pid}/status")
        caught = 0
        while run.poll() is None and not caught >> (signal.SIGINT - 1) & 1:
            caught = int(re.search(r"SigCgt:\s*(\w+)", status.read_text()).group(1), 16)
            time.sleep(0.05)
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        out, error = run.communicate(timeout=240)
        self.assertEqual(run.returncode, INCONCLUSIVE, out + error)

    def test_a_kill_can_be_looked_at(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--budget", "500")
        killed = [r for r in self.results().values() if r["verdict"] == "killed" and r["tape"]]
        self.assertTrue(killed)
        number = killed[0]["mutant"]
        done = self.expect(NOTHING, "mutate", A_TARGET, "--mutant", number, "--budget", "500")
        self.assertIn(f"killed by {A_TARGET}", done.stdout)
        tape = f"out/mutation/tapes/mutant-{number}.hex"
        shown = self.expect(FINDING, "replay", A_TARGET, tape, "--mutant", number)
        self.assertIn(killed[0]["headline"], shown.stdout)
        self.expect(NOTHING, "replay", A_TARGET, tape)

    def test_the_matrix_has_every_strategy(self):
        self.kiln("mutate", A_FILE, A_TARGET, "--operators", "drop-check", "--budget", "200", "--matrix")
        matrix = json.loads((self.folder / "out" / "mutation" / "matrix.json").read_text())
        killed = [mutant for mutant in matrix["mutants"] if mutant["verdict"] == "killed"]
        self.assertTrue(killed)
        for mutant in killed:
            self.assertEqual({one["strategy"] for one in mutant["tries"]},
                             {"portfolio", "in-order", "random-walk", "pct"})
            self.assertTrue(any(one["found"] for one in mutant["tries"]))

    def test_the_harness_is_asked_for_what_can_be_switched_off(self):
        done = self.kiln("mutate", A_FILE, A_TARGET, "--operators", "drop-check,boundary", "--budget", "200", "--harness")
        self.assertIn("Harness mutants: what is lost without each part", done.stdout)
        self.assertRegex(done.stdout, r"rule oracle|strategy pct")
        self.assertNotRegex(done.stdout, r"rule (address|undefined|crash|hang) ")
        self.assertNotIn("not tried", done.stdout)
        if "targets/" not in done.stdout:
            self.assertIn("No oracle and no choice is judged", done.stderr)

    def test_no_changed_line_is_no_failure(self):
        # A checkout without a change: this one may have some.
        (self.folder / "targets").mkdir()
        (self.folder / "CMakePresets.json").write_text("{}")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "a"]):
            subprocess.run(git + words, cwd=self.folder, check=True)
        done = self.expect(NOTHING, "mutate", A_FILE, "--since", "HEAD")
        self.assertEqual(done.stdout, "No mutant lies on a changed line.\n")

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
