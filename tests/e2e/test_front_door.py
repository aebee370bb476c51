"""scripts/fuzz.py: what it does before the program runs."""

import os
import resource
import runpy
import subprocess
import sys
import unittest
from pathlib import Path

from support import NOTHING, PROGRAM, ROOT, USAGE, EndToEnd

FRONT_DOOR = ROOT / "scripts" / "fuzz.py"


class FrontDoor(EndToEnd):
    def fuzz(self, *words, **options):
        return subprocess.run([sys.executable, FRONT_DOOR, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=600, **options)

    def test_hands_over(self):
        done = self.fuzz("--no-build", "list")
        if Path(PROGRAM) == ROOT / "build" / "gate" / "kiln":
            self.assertEqual(done.returncode, NOTHING, done.stderr)
            self.assertIn("lib/format", done.stdout)

    def test_missing_tools_are_named_with_their_packages(self):
        done = self.fuzz("list", env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, USAGE)
        for package in ("clang-19", "lld-19", "cmake", "ninja-build"):
            self.assertIn(package, done.stderr)
        self.assertIn("scripts/setup.sh", done.stderr)

    def test_flavours(self):
        done = self.fuzz("--flavour", "fats")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("fast", done.stderr)
        self.assertEqual(self.fuzz("--flavour").returncode, USAGE)

    def test_mutate_harness_has_a_build_of_its_own(self):
        flavour_of = runpy.run_path(str(FRONT_DOOR), run_name="fuzz")["flavour_of"]
        self.assertEqual(flavour_of(["mutate", "boot/fdt"]), "mutants")
        self.assertEqual(flavour_of(["mutate", "boot/fdt", "--harness"]), "mutants-harness")
        self.assertEqual(flavour_of(["replay", "boot/fdt", "x.hex", "--mutant", "3"]), "mutants")

    @unittest.skipUnless((ROOT / "build" / "gate" / "kiln").exists(), "needs the gate's build")
    def test_a_limited_address_space_is_named(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        done = self.fuzz("--no-build", "list", preexec_fn=limit)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("ulimit -v", done.stderr)


if __name__ == "__main__":
    unittest.main()
