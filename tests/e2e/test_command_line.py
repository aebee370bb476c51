"""Words on the command line: help, lists, and every kind of bad input."""

import json
import os
import subprocess
import unittest
import xml.etree.ElementTree

from support import FINDING, INCONCLUSIVE, NOTHING, PROGRAM, ROOT, USAGE, EndToEnd


class Help(EndToEnd):
    def test_help(self):
        text = self.expect(NOTHING, "--help").stdout
        for command in ("gate", "run", "list", "replay", "triage", "doctor", "new-target"):
            self.assertIn(f"  {command} ", text)
            self.assertIn("fuzz.py " + command, self.expect(NOTHING, command, "--help").stdout)

    def test_the_reference_is_up_to_date(self):
        made = self.expect(NOTHING, "reference").stdout
        kept = (ROOT / "docs" / "reference.md").read_text()
        self.assertEqual(made, kept, "docs/reference.md is not what `fuzz.py reference` prints")

    def test_list(self):
        text = self.expect(NOTHING, "list", "--json", "list.json").stdout
        self.assertIn("lib/format", text)
        names = [entry["name"] for entry in json.loads((self.folder / "list.json").read_text())]
        self.assertEqual(names, sorted(names))

    def test_doctor(self):
        text = self.expect(NOTHING, "doctor").stdout
        for part in ("host", "program", "addresses", "machine    boots", "fence", "llvm-symbolizer-19"):
            self.assertIn(part, text)

    def test_reports(self):
        self.expect(FINDING, "canary/oracle", "lib/format", "--iterations", "1000", "--no-shrink",
                    "--json", "s.json", "--junit", "s.xml")
        summary = json.loads((self.folder / "s.json").read_text())
        self.assertEqual(summary["exit_code"], FINDING)
        suites = xml.etree.ElementTree.parse(self.folder / "s.xml").getroot()
        self.assertEqual(len(list(suites.iter("testcase"))), 2)
        self.assertEqual(len(list(suites.iter("failure"))), 1)


class BadInput(EndToEnd):
    def test_names(self):
        self.refused("lib/fromat", says="Did you mean 'lib/format'?")
        self.refused("format", says="Did you mean 'lib/format'?")
        self.refused("nothing/like-it", says="'list' names them all")
        self.refused("replya", "lib/format", "x", says="Did you mean 'replay'?")
        self.refused("--seeed", "1", says="Did you mean '--seed'?")
        self.refused("lib/*x", says="There is no target")

    def test_values(self):
        self.refused("--seed", "one", says="whole number")
        self.refused("--seed", "-1", says="--seed")
        self.refused("--iterations", "0", says="whole number")
        self.refused("--seconds", "1.5", says="whole number")
        self.refused("--jobs", "0", says="from 1 to")
        self.refused("--timeout", "", says="--timeout")
        self.refused("--only", "1", "lib/format", says="SEED:ITERATION")
        self.refused("--tier", "nigth", says="none of")
        self.refused("--seed", says="needs a value")

    def test_combinations(self):
        self.refused("--trace", says="one input")
        self.refused("--seconds", "1", "--iterations", "1", says="give one")
        self.refused("list", "--jobs", "2", says="does not go with 'list'")
        self.refused("run", "lib/*", says="name one")
        self.refused("run", says="needs more")
        self.refused("--only", "1:1", says="one target")

    def test_tapes(self):
        bad = self.folder / "bad.hex"
        bad.write_text("00fg\n")
        self.refused("replay", "lib/format", bad, says="bad.hex")
        bad.write_text("000")
        self.refused("replay", "lib/format", bad, says="bad.hex")
        bad.write_bytes(b"\x00\xff\x80")
        self.refused("replay", "lib/format", bad, says="bad.hex")
        self.refused("replay", "lib/format", "nowhere.hex", says="nowhere.hex")
        self.refused("replay", "lib/format", self.folder, says=str(self.folder))
        self.refused("replay", "lib/fromat", bad, says="Did you mean")
        bad = self.folder / "bad.json"
        bad.write_text("{}")
        self.refused("bundle", bad, says="bad.json")
        self.refused("replay", "lib/format", bad, says="bad.json")

    def test_files_that_are_none(self):
        link = self.folder / "tapes" / "loop"
        link.parent.mkdir()
        link.symlink_to("loop")
        self.expect(NOTHING, "corpus", "boot/fdt", link.parent)
        for file in ("/dev/zero", self.folder):
            self.refused("feed", "boot/fdt", file, says=str(file))
            self.refused("bundle", file, says=str(file))
            self.refused("lib/format", "--known", file, says=str(file))
        self.refused("new-target", "a/" + "x" * 300, says="too long")

    def test_a_pipe_that_nobody_writes_into(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.refused("replay", "lib/format", pipe, says="is a pipe", timeout=30)
        self.refused("feed", "boot/fdt", pipe, says="is a pipe", timeout=30)
        self.refused("bundle", pipe, says="is a pipe", timeout=30)
        self.refused("lib/format", "--known", pipe, says="is a pipe", timeout=30)
        done = self.expect(INCONCLUSIVE, "lib/format", "--iterations", "100", "--json", pipe, timeout=60)
        self.assertIn("nobody reads", done.stderr)

    def test_names_reach_the_terminal_escaped(self):
        evil = "no\nkiln: all is well\x1b[2J"
        escaped = r"no\nkiln: all is well\x1b[2J"
        self.refused(evil, says=escaped)
        self.refused("--" + evil, says=escaped)
        self.refused("--seed", evil, says=escaped)
        self.refused("replay", "lib/format", evil, says=escaped)
        self.refused("triage", evil, says=escaped)
        done = self.expect(FINDING, "canary/oracle", "--no-shrink", "--out", evil)
        self.assertIn(escaped, done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(len(list((self.folder / evil / "findings").glob("*.hex"))), 1)
        command = next(line for line in done.stdout.splitlines() if line.startswith("  replay "))
        words = subprocess.run(["bash", "-c", f"printf '%s|' {command[10:]}"], capture_output=True, text=True).stdout
        self.assertIn(f"|{evil}/findings/", words)

    def test_reports_that_cannot_be_written(self):
        for option in ("--json", "--junit"):
            self.refused("lib/format", option, self.folder, says=str(self.folder))

    def test_the_last_of_two_values_counts(self):
        self.expect(NOTHING, "lib/format", "--iterations", "x", "--iterations", "5")

    def test_folders(self):
        self.refused("triage", "nowhere", says="nowhere")
        self.refused("corpus", "lib/format", "nowhere", says="nowhere")

    def test_feed(self):
        self.refused("feed", "lib/format", "x", says="takes no artefact")
        self.refused("feed", "boot/fdt", "nowhere.dtb", says="nowhere.dtb")

    def test_cover_needs_its_flavour(self):
        self.refused("cover", says="cover flavour")

    def test_options_of_the_front_door(self):
        self.refused("--flavour", "fast", says="scripts/fuzz.py")


class Streams(EndToEnd):
    def test_lost_output_is_not_success(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "list"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, INCONCLUSIVE)
        self.assertIn("standard output", done.stderr)

    def test_closed_streams(self):
        done = subprocess.run([PROGRAM, "replay", "boot/fdt", "/dev/null"], cwd=self.folder,
                              preexec_fn=lambda: [os.close(stream) for stream in range(3)])
        self.assertEqual(done.returncode, NOTHING)


if __name__ == "__main__":
    unittest.main()
