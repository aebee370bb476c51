"""Ctrl-C, killed workers: nothing is lost, nothing is left running."""

import os
import re
import signal
import time
import unittest
from pathlib import Path

from support import FINDING, INCONCLUSIVE, NOTHING, EndToEnd, digests


def children(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ended(pid):
    """Gone, or waiting for whoever inherits it to look at it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Interrupts(EndToEnd):
    def interrupted(self, *words, after=3.0, how=signal.SIGINT):
        process = self.start(*words)
        time.sleep(after)
        workers = children(process.pid)
        process.send_signal(how)
        out, err = process.communicate(timeout=120)
        for worker in workers:
            self.assertFalse(Path(f"/proc/{worker}").exists(), "a worker is left")
        return process.returncode, out, err

    def test_an_endless_run_ends_well(self):
        code, out, err = self.interrupted("run", "lib/format")
        self.assertEqual(code, NOTHING, out + err)
        self.assertIn("nothing found (interrupted)", out)

    def test_a_gate_that_was_not_done_is_inconclusive(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.interrupted("lib/format", "--tier", "release", how=how)
            self.assertEqual(code, INCONCLUSIVE, out + err)
            self.assertIn("interrupted", out)

    def test_findings_so_far_are_kept(self):
        code, out, err = self.interrupted("run", "canary/oracle", after=8)
        self.assertEqual(code, FINDING, out + err)
        self.saved("hex")

    def test_a_killed_worker_changes_nothing(self):
        words = ("lib/format", "--iterations", "400000", "--json", "summary.json")
        self.expect(NOTHING, *words)
        reference = (self.folder / "summary.json").read_text()
        process = self.start(*words)
        killed = 0
        deadline = time.monotonic() + 60
        while killed < 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.3)
            for worker in children(process.pid)[:1]:
                os.kill(worker, signal.SIGKILL)
                killed += 1
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, NOTHING, out + err)
        digest = re.compile(r'"digest": *"([0-9a-f]+)"')
        self.assertEqual(digest.findall((self.folder / "summary.json").read_text()), digest.findall(reference))
        if killed:
            self.assertIn("killed from outside", out)

    def test_a_worker_that_was_stopped_is_no_finding(self):
        for how in (signal.SIGSTOP, signal.SIGSEGV):
            process = self.start("lib/format", "--iterations", "100000", "--timeout", "2")
            time.sleep(1)
            for worker in children(process.pid)[:1]:
                os.kill(worker, how)
            out, err = process.communicate(timeout=120)
            self.assertEqual(process.returncode, NOTHING, out + err)

    def test_workers_end_with_the_supervisor(self):
        process = self.start("run", "lib/format")
        time.sleep(2)
        workers = children(process.pid)
        self.assertTrue(workers)
        process.kill()
        process.communicate()
        time.sleep(0.5)
        for worker in workers:
            self.assertTrue(ended(worker), "a worker outlived its supervisor")


if __name__ == "__main__":
    unittest.main()
