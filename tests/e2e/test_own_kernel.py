"""A kernel of one's own: examples/tiny-kernel, as it is and with mistakes in a copy of it."""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from support import FINDING, NOTHING, PROGRAM, ROOT, EndToEnd, build_commands, digests, run_build_command

EXAMPLE = Path("examples") / "tiny-kernel"
TINY = Path(PROGRAM).parent / "kiln-tiny"
A_TARGET = "tiny/sensor"


class OwnKernel(EndToEnd):
    def program_of_a_copy(self, file, text, other):
        """The example's program with `text` in one of its files replaced, built as the build does it."""
        copy = self.folder / EXAMPLE
        shutil.copytree(ROOT / EXAMPLE, copy)
        source = (copy / file).read_text()
        self.assertIn(text, source)
        (copy / file).write_text(source.replace(text, other))
        program = self.folder / "kiln-tiny"
        for command in build_commands("kiln-tiny"):
            if f"{EXAMPLE}/" not in command:
                continue  # the machine and the runner are as they were
            command = command.replace(str(ROOT / EXAMPLE), str(copy))
            command = command.replace(f" {EXAMPLE}/", f" {copy}/made/").replace(" -o kiln-tiny ", f" -o {program} ")
            if " -c " in command:
                command += f" -ffile-prefix-map={self.folder}/="
            run_build_command(command)
        return program

    def finding_in_a_copy(self, *edit):
        return self.expect(FINDING, "tiny/sensor", program=self.program_of_a_copy(*edit)).stdout

    def test_the_example_is_green_and_resets(self):
        self.expect(NOTHING, program=TINY)
        few = ("tiny/sensor", "--iterations", "300")
        summary = self.summary(*few, code=NOTHING, program=TINY)
        forked = self.summary(*few, "--isolate", "fork", code=NOTHING, program=TINY)
        self.assertEqual(digests(summary), digests(forked))

    def test_a_check_too_few(self):
        text = self.finding_in_a_copy("kernel/ring.c", "if (ring->count == RING_ROOM)", "if (false)")
        self.assertIn("FINDING oracle", text)
        self.assertIn("comes after sample", text)
        self.assertIn("fuzz.py --kernel tiny --replay tiny/sensor", text)

    def test_a_lock_that_leaves_interrupts_on(self):
        text = self.finding_in_a_copy("kernel/lock.h", "irqs_were_on = arch_irq_save();", "irqs_were_on = true;")
        self.assertIn("examples/tiny-kernel/kernel/", text)

    def test_a_wake_up_that_is_forgotten(self):
        text = self.finding_in_a_copy("kernel/sensor.cpp", "if (reader != nullptr) arch_wake(reader);", "(void)reader;")
        self.assertIn("FINDING deadlock", text)

    def test_the_front_door(self):
        if Path(PROGRAM) != ROOT / "build" / "gate" / "kiln":
            self.skipTest("needs the gate's build")
        done = subprocess.run([sys.executable, ROOT / "scripts" / "fuzz.py", "--no-build", "--kernel", "tiny", "list"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, NOTHING, done.stderr)
        self.assertTrue(re.search(r"^tiny/sensor ", done.stdout, re.MULTILINE), done.stdout)


def has_mutants():
    done = subprocess.run([TINY, "replay", A_TARGET, "/dev/null", "--mutant", "4294967295"],
                          capture_output=True, text=True)
    return "There is no mutant 4294967295" in done.stderr


@unittest.skipUnless(TINY.exists() and has_mutants(), "the example's program has no mutants")
class MutateOwnKernel(EndToEnd):
    def mutate(self, *words):
        self.done = self.kiln("mutate", *words, program=TINY)
        [journal] = (self.folder / "out" / "mutation").glob("results-*.jsonl")
        lines = map(json.loads, journal.read_text().splitlines()[1:])
        return list({line["mutant"]: line for line in lines}.values())

    def report(self, name):
        return (self.folder / "out" / "mutation" / name).read_text()

    def test_its_mutants_are_killed_compared_and_told(self):
        results = self.mutate("--budget", "1000")
        self.assertEqual(self.done.stderr, "")
        self.assertRegex(self.done.stdout, r"examples/tiny-kernel/kernel/? ")
        for file in ("lock.h", "sensor.cpp"):
            self.assertIn(f"  {file} ", self.done.stdout)
        self.assertGreater(sum(result["verdict"] == "killed" for result in results), 25)
        self.assertTrue(all(result.get("compared") for result in results if result["verdict"] != "killed"))
        files = json.loads(self.report("mutation.json"))["files"]
        source = "examples/tiny-kernel/kernel/sensor.cpp"
        self.assertEqual(files[source]["source"], (ROOT / source).read_text())
        self.assertIn("--kernel tiny replay tiny/sensor", self.report("mutation.html"))

    def test_roles_make_mutants_of_its_locks(self):
        results = self.mutate("--operators", "drop-unlock,drop-wake,drop-irq-restore", "--budget", "1000")
        self.assertGreaterEqual(len(results), 5)
        self.assertEqual({result["verdict"] for result in results}, {"killed"})

    def test_a_kill_can_be_looked_at(self):
        killed = next(result for result in self.mutate(str(EXAMPLE / "kernel" / "sensor.cpp"), "--budget", "1000")
                      if result["verdict"] == "killed" and result["tape"])
        number = killed["mutant"]
        shown = self.expect(NOTHING, "mutate", "--mutant", number, "--budget", "1000", program=TINY)
        self.assertIn("killed by tiny/sensor", shown.stdout)
        tape = f"out/mutation/tapes/mutant-{number}.hex"
        replayed = self.expect(FINDING, "replay", "tiny/sensor", tape, "--mutant", number, program=TINY)
        self.assertIn(killed["headline"], replayed.stdout)
        self.expect(NOTHING, "replay", "tiny/sensor", tape, program=TINY)


if __name__ == "__main__":
    unittest.main()
