"""What the end-to-end tests share: they run the real program, as a user would."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("KILN_PROGRAM", str(ROOT / "build" / "gate" / "kiln"))
NOTHING, FINDING, USAGE, HANG, INCONCLUSIVE = range(5)


class EndToEnd(unittest.TestCase):
    """Every test has an empty working folder of its own."""

    maxDiff = None

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kiln-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def kiln(self, *words, **options):
        """Runs the program to its end; gives exit code, standard output and standard error."""
        options.setdefault("cwd", self.folder)
        options.setdefault("timeout", 240)
        command = [str(options.pop("program", PROGRAM)), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)

    def start(self, *words, **options):
        options.setdefault("cwd", self.folder)
        return subprocess.Popen([PROGRAM, *map(str, words)], text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def expect(self, code, *words, **options):
        done = self.kiln(*words, **options)
        self.assertEqual(done.returncode, code, f"{words}\n--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}")
        return done

    def refused(self, *words, says, **options):
        """Bad usage: exit code 2, and one sentence that says what and how to mend it."""
        done = self.expect(USAGE, *words, **options)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, r"^kiln: .*[.?]\n$")
        self.assertIn(says, done.stderr)
        return done

    def summary(self, *words, code, **options):
        """The JSON summary of a run that ends with `code`."""
        self.expect(code, *words, "--json", "summary.json", **options)
        return json.loads((self.folder / "summary.json").read_text())

    def saved(self, ending):
        """The only file of that kind among the saved findings."""
        files = sorted((self.folder / "out" / "findings").glob(f"*.{ending}"))
        self.assertEqual(len(files), 1, files)
        return files[0]


def build_commands(program):
    """What the build runs to make a program of its own, in order; the link comes last."""
    done = subprocess.run(["ninja", "-t", "commands", program], cwd=Path(PROGRAM).parent, check=True,
                          capture_output=True, text=True)
    return done.stdout.splitlines()


def run_build_command(command):
    """One of them, edited so that what it writes is elsewhere."""
    for made in re.findall(r"(?:-o|qc) (/\S+)", command):
        Path(made).parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, shell=True, cwd=Path(PROGRAM).parent, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")


def digests(summary):
    return {target["name"]: target["digest"] for target in summary["targets"]}


def first_finding(summary):
    return summary["targets"][0]["findings"][0]
