"""scripts/check_mutants.py: what it refuses, rule by rule, on a catalogue of one patch."""

import difflib
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from function_bodies import bodies  # noqa: E402

def sound_patch():
    """One of the catalogue's, so that it applies to the sources as they are."""
    return (ROOT / "gates" / "mutants" / "c20-work-queue-drains-itself.patch").read_text()


class Catalogue(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="kiln-catalogue-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "README.md").write_text("| kind |\n| --- |\n| C20 | a task that waits for itself |\n")

    def check(self, text, name="c20-drains-itself"):
        (self.folder / f"{name}.patch").write_text(text)
        return subprocess.run([sys.executable, "-B", ROOT / "scripts" / "check_mutants.py", "--catalogue", self.folder],
                              capture_output=True, text=True)

    def refused(self, says, text, **options):
        done = self.check(text, **options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(says, done.stdout)

    def test_a_sound_one_passes(self):
        done = self.check(sound_patch())
        self.assertEqual((done.returncode, done.stdout), (0, "1 named mutants, all by the rules\n"))

    def test_a_header_that_is_not_whole(self):
        self.refused("its header is not 'Kind: ...'", sound_patch().replace("Within", "Inputs"))
        self.refused("its header is not 'Kind: ...'", sound_patch().replace("Target: sync/work\n", ""))

    def test_a_kind_that_nobody_knows(self):
        self.refused("the kind C99 is not in the README's table", sound_patch().replace("C20", "C99"))

    def test_a_kind_without_a_patch(self):
        with open(self.folder / "README.md", "a") as readme:
            readme.write("| B1 | the end of a node with none open |\n")
        self.refused("no patch is of the kind B1", sound_patch())

    def test_a_name_of_another_kind(self):
        self.refused("begins with c20-", sound_patch(), name="c02-drains-itself")
        self.refused("begins with c20-", sound_patch(), name="c20-Drains_itself")

    def test_a_target_that_there_is_not(self):
        self.refused("there is no target sync/toil", sound_patch().replace("sync/work", "sync/toil"))

    def test_a_bound_above_the_most(self):
        self.refused("'Within: 20001' is no number", replaced_bound("20001"))
        self.refused("'Within: soon' is no number", replaced_bound("soon"))

    def test_a_patch_that_does_not_apply(self):
        self.refused("it does not apply: error: patch failed", sound_patch().replace("work.handler_(", "job.handler_("))

    def test_a_change_outside_of_function_bodies(self):
        self.refused("it changes more than function bodies in kernel-src/boot/acpi_mcfg.cpp", changed_constant())

    def test_a_change_of_something_else_than_the_kernel(self):
        self.refused("which is no source of the kernel", sound_patch().replace("kernel-src/task", "targets/task"))

    def test_a_folder_without_a_catalogue(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "check_mutants.py", "--catalogue", self.folder],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("give the folder of a catalogue", done.stderr)


def replaced_bound(bound):
    lines = sound_patch().split("\n")
    return "\n".join(f"Within: {bound}" if line.startswith("Within: ") else line for line in lines)


def changed_constant():
    path = "kernel-src/boot/acpi_mcfg.cpp"
    before = (ROOT / path).read_text()
    after = before.replace("kEntryBytes = 16", "kEntryBytes = 15")
    assert after != before
    diff = difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/" + path, "b/" + path)
    return sound_patch().partition("\n\n")[0] + "\n\n" + "".join(diff)


class FunctionBodies(unittest.TestCase):
    def bodies_of(self, text):
        return [text[begin:end] for begin, end in bodies(text)]

    def test_those_of_functions_and_members(self):
        text = "namespace a {\nint f() { return 1; }\nclass B {\n public:\n  void g() const {}\n};\n}\n"
        self.assertEqual(self.bodies_of(text), ["{ return 1; }", "{}"])

    def test_a_lambda_lies_in_its_function(self):
        self.assertEqual(self.bodies_of("void f() { g([] { return 2; }); }"), ["{ g([] { return 2; }); }"])

    def test_initialisers_are_none(self):
        self.assertEqual(self.bodies_of("constexpr int k[] = {1, 2};\nconstinit Lock lock{cls};\nX x{f(1)};\n"), [])
        self.assertEqual(self.bodies_of("struct A {\n  A(int n = {}) : a_{n}, b_(n) { c(); }\n};\n"), ["{ c(); }"])

    def test_comments_and_literals_hide_braces(self):
        body = "{ // }\n  g(\"}\", '}', 1'000);\n}"
        self.assertEqual(self.bodies_of(f"void f() {body}\n#define X {{\nenum class E : int {{ kA }};\n"), [body])


if __name__ == "__main__":
    unittest.main()
