"""Gates and campaigns: codes, tables, and results that do not depend on how they were made."""

import os
import time
import unittest

from support import FINDING, HANG, NOTHING, EndToEnd, digests, first_finding


class Gate(EndToEnd):
    def test_nothing_found(self):
        done = self.expect(NOTHING, "lib/format", "--iterations", "2000")
        self.assertRegex(done.stdout, r"lib/format +2 000 .* [0-9a-f]{16} .* ok")
        self.assertIn("nothing found", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_no_live_line_without_a_terminal(self):
        done = self.expect(NOTHING, "lib/format", "--iterations", "2000")
        self.assertNotIn("\x1b", done.stdout)
        self.assertNotIn("\r", done.stdout)

    def test_globs(self):
        done = self.expect(NOTHING, "lib/*", "--iterations", "100")
        self.assertIn("lib/format", done.stdout)
        self.assertIn("lib/containers", done.stdout)
        self.assertNotIn("sync/", done.stdout)

    def test_canaries_run_only_when_named(self):
        self.assertNotIn("canary/", self.expect(NOTHING, "list").stdout)
        self.assertIn("canary/oracle", self.expect(NOTHING, "list", "--all").stdout)
        self.assertIn("canary/oracle", self.expect(NOTHING, "list", "canary/*").stdout)

    def test_a_finding(self):
        done = self.expect(FINDING, "canary/oracle")
        self.assertIn("FINDING oracle:", done.stdout)
        self.assertRegex(done.stdout, r"replay +python3 scripts/fuzz.py --replay canary/oracle out/findings/\S+\.hex")
        self.assertIn("1 finding", done.stdout)
        for ending in ("hex", "json", "txt"):
            self.saved(ending)
        self.assertIn("10 of 10", self.saved("txt").read_text())

    def test_a_finding_does_not_stop_other_targets(self):
        summary = self.summary("canary/oracle", "lib/format", "--iterations", "1000", code=FINDING)
        self.assertEqual([t["inputs"] for t in summary["targets"]][1], 1000)

    def test_a_missed_probe(self):
        done = self.expect(FINDING, "canary/probe-missed")
        self.assertIn("probe-missed", done.stdout)
        # A part of the gate proves nothing about probes.
        self.expect(NOTHING, "canary/probe-missed", "--iterations", "50")

    def test_a_hang(self):
        done = self.expect(HANG, "canary/hang", "--timeout", "1", "--no-shrink")
        self.assertIn("FINDING hang:", done.stdout)
        # Beside a finding the finding decides.
        self.expect(FINDING, "canary/hang", "canary/oracle", "--timeout", "1", "--no-shrink")


class SameResult(EndToEnd):
    """The number of workers, the environment and the place change the speed and nothing else."""

    WORDS = ("lib/format", "sync/rounds", "--iterations", "3000")

    def setUp(self):
        super().setUp()
        self.reference = digests(self.summary(*self.WORDS, "--jobs", "1", code=NOTHING))

    def same(self, *words, **options):
        self.assertEqual(digests(self.summary(*self.WORDS, *words, code=NOTHING, **options)), self.reference)

    def test_more_workers(self):
        self.same("--jobs", "3")

    def test_more_workers_than_there_is_work(self):
        begin = time.monotonic()
        self.same("--jobs", "1000")
        self.assertLess(time.monotonic() - begin, 15)

    def test_address_randomisation(self):
        self.same("--aslr")

    def test_another_environment(self):
        self.same(env={**os.environ, "LC_ALL": "de_DE.UTF-8", "NOISE": "x" * 5000, "ASAN_OPTIONS": "detect_leaks=1"})

    def test_another_seed_is_another_run(self):
        other = digests(self.summary(*self.WORDS, "--seed", "2", code=NOTHING))
        self.assertNotEqual(other, self.reference)


class OtherWays(EndToEnd):
    def test_a_process_for_each_input(self):
        words = ("run", "*", "--iterations", "60")
        here = digests(self.summary(*words, code=NOTHING))
        self.assertGreater(len(here), 10)
        self.assertEqual(digests(self.summary(*words, "--isolate", "fork", code=NOTHING)), here)

    def test_the_first_finding_is_the_lowest(self):
        one = self.summary("canary/oracle", "--no-shrink", "--jobs", "1", code=FINDING)
        four = self.summary("canary/oracle", "--no-shrink", "--jobs", "4", code=FINDING)
        self.assertEqual(first_finding(one)["iteration"], first_finding(four)["iteration"])
        self.assertEqual(digests(one), digests(four))
        self.assertEqual(one["targets"][0]["inputs"], first_finding(one)["iteration"] + 1)

    def test_keep_going_counts(self):
        words = ("canary/oracle", "--keep-going", "--no-shrink")
        one = self.summary(*words, "--jobs", "1", code=FINDING)
        three = self.summary(*words, "--jobs", "3", code=FINDING)
        self.assertEqual(first_finding(one)["seen"], first_finding(three)["seen"])
        self.assertEqual(digests(one), digests(three))
        self.assertEqual(one["targets"][0]["inputs"], 1000)

    def test_strategies(self):
        for name in ("in-order", "random-walk", "pct"):
            self.expect(NOTHING, "sync/rounds", "--iterations", "200", "--strategy", name)

    def test_tiers(self):
        quick = self.summary("lib/format", "--tier", "quick", code=NOTHING)
        self.assertGreater(quick["targets"][0]["inputs"], 1000)

    def test_seconds(self):
        summary = self.summary("lib/format", "--seed", "5", "--seconds", "1", code=NOTHING)
        self.assertGreater(summary["targets"][0]["inputs"], 0)
        self.assertLess(summary["targets"][0]["seconds"], 20)


if __name__ == "__main__":
    unittest.main()
