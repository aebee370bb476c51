"""A finding from its discovery to its replay, in every kind of trouble."""

import json
import os
import resource
import subprocess
import unittest
from pathlib import Path

from support import FINDING, HANG, INCONCLUSIVE, NOTHING, PROGRAM, ROOT, USAGE, EndToEnd, first_finding


class Replay(EndToEnd):
    def found(self, target="canary/oracle", code=FINDING, *words):
        self.expect(code, target, *words)
        return self.saved("hex")

    def test_both_spellings(self):
        tape = self.found()
        first = self.expect(FINDING, "--replay", "canary/oracle", tape).stdout
        second = self.expect(FINDING, "replay", "canary/oracle", tape).stdout
        self.assertEqual(first, second)
        self.assertIn("FINDING oracle:", first)

    def test_the_bundle_is_a_tape_too(self):
        self.found()
        self.expect(FINDING, "replay", "canary/oracle", self.saved("json"))

    def test_by_seed_and_iteration(self):
        summary = self.summary("canary/oracle", "--no-shrink", code=FINDING)
        iteration = first_finding(summary)["iteration"]
        self.expect(FINDING, "canary/oracle", "--only", f"1:{iteration}")
        self.expect(NOTHING, "lib/format", "--only", "1:3")

    def test_ten_times_the_same(self):
        tape = self.found()
        runs = {self.expect(FINDING, "replay", "canary/oracle", tape).stdout for _ in range(10)}
        self.assertEqual(len(runs), 1)

    def test_every_way_to_die(self):
        for name in ("address", "undefined", "crash", "stack-overflow", "deadlock", "panic"):
            with self.subTest(name):
                for old in (self.folder / "out" / "findings").glob("*"):
                    old.unlink()
                tape = self.found(f"canary/{name}")
                self.assertIn(f"FINDING {name}:", self.expect(FINDING, "replay", f"canary/{name}", tape).stdout)

    def test_a_hang_has_a_tape(self):
        tape = self.found("canary/hang", HANG, "--timeout", "1")
        self.expect(HANG, "replay", "canary/hang", tape, "--timeout", "1")

    def test_raw(self):
        tape = self.found()
        raw = self.folder / "tape.bin"
        raw.write_bytes(bytes.fromhex(tape.read_text()))
        self.expect(FINDING, "replay", "canary/oracle", raw, "--raw")

    def test_trace_and_perfetto(self):
        tape = self.found("canary/deadlock")
        plain = self.expect(FINDING, "replay", "canary/deadlock", tape).stdout
        traced = self.expect(FINDING, "replay", "canary/deadlock", tape, "--trace", "--perfetto", "t.json").stdout
        self.assertGreater(len(traced), len(plain))
        self.assertIn("traceEvents", json.loads((self.folder / "t.json").read_text()))

    def test_in_one_process(self):
        tape = self.found()
        self.expect(FINDING, "replay", "canary/oracle", tape, "--no-fork")

    def test_under_gdb(self):
        tape = self.found()
        done = subprocess.run([PROGRAM, "replay", "canary/oracle", tape, "--gdb"], cwd=self.folder, text=True,
                              input="bt 12\nkill\nquit\n", capture_output=True, timeout=240)
        self.assertIn("abandon_run", done.stdout)
        self.assertIn("targets/canary/oracle.cpp", done.stdout)


class Shown(EndToEnd):
    def test_in_report_bundle_and_a_file_beside(self):
        self.expect(FINDING, "canary/disk")
        report = self.saved("txt").read_text()
        for words in ("Operations\n  count to 1\n", "=== power lost", "write   1", "(count)"):
            self.assertIn(words, report)
        image = self.saved("img")
        self.assertEqual(image.stat().st_size, 16 * 512)
        self.assertIn(str(image.name), report)
        bundle = json.loads(self.saved("json").read_text())
        self.assertEqual([text["title"] for text in bundle["shown"]], ["Operations", "Disk: what it was asked for"])
        self.assertEqual(bundle["shown_files"], [image.name])

    def test_replay_writes_the_image(self):
        self.expect(FINDING, "canary/disk")
        tape = self.saved("hex")
        printed = self.expect(FINDING, "replay", "canary/disk", tape).stdout
        self.assertIn("count to 1", printed)
        self.assertIn("--disk-image FILE", printed)
        self.expect(FINDING, "replay", "canary/disk", tape, "--disk-image", "deep/disk.img")
        self.assertEqual((self.folder / "deep" / "disk.img").read_bytes(), self.saved("img").read_bytes())
        done = self.expect(INCONCLUSIVE, "replay", "lib/bytes", tape, "--disk-image", "x.img")
        self.assertIn("no disk image", done.stderr)
        self.refused("canary/disk", "--disk-image", "x.img", says="need one input")
        self.refused("replay", "canary/disk", tape, "--disk-image", tape, says="is an input")


class AfterDiscovery(EndToEnd):
    def test_decode(self):
        self.expect(FINDING, "canary/oracle")
        words = self.expect(NOTHING, "decode", "canary/oracle", self.saved("hex")).stdout
        self.assertIn("data", words)
        self.expect(NOTHING, "decode", "lib/format", "--only", "1:7", "--all")

    def test_shrink_by_seed_and_iteration(self):
        found = first_finding(self.summary("canary/oracle", "--no-shrink", code=FINDING))
        for old in (self.folder / "out" / "findings").glob("*"):
            old.unlink()
        self.expect(FINDING, "shrink", "canary/oracle", "--only", f"1:{found['iteration']}")
        self.assertIn("10 of 10", self.saved("txt").read_text())
        self.expect(FINDING, "replay", "canary/oracle", self.saved("hex"))

    def test_the_machine_is_the_same_whatever_the_folder(self):
        generations = set()
        for folder in ("a", "a/much/longer/name", "a"):
            self.expect(FINDING, "canary/oracle", "--out", folder)
            bundle = next((self.folder / folder / "findings").glob("*.json"))
            generations.add(json.loads(bundle.read_text())["environment"]["generation"])
        self.assertEqual(len(generations), 1)

    def test_shrink(self):
        self.expect(FINDING, "canary/oracle", "--no-shrink")
        tape = self.saved("hex")
        long = self.folder / "long.hex"
        long.write_text(tape.read_text())
        self.expect(FINDING, "shrink", "canary/oracle", long)
        self.assertLessEqual(len(self.saved("hex").read_text()), len(long.read_text()))
        done = self.expect(NOTHING, "shrink", "lib/format", "--only", "1:7")
        self.assertIn("nothing to shrink", done.stdout)

    def test_triage_and_bundle(self):
        self.expect(FINDING, "canary/oracle", "canary/deadlock")
        done = self.expect(FINDING, "triage")
        self.assertIn("2 saved findings: 2 still show", done.stdout)
        self.assertIn("(the same run)", done.stdout)
        bundle = sorted((self.folder / "out" / "findings").glob("*.json"))[0]
        self.assertIn("still shows", self.expect(FINDING, "bundle", bundle).stdout)
        # A tape that does nothing: the finding is gone.
        content = json.loads(bundle.read_text())
        content["input"]["hex"] = ""
        bundle.write_text(json.dumps(content))
        done = self.kiln("bundle", bundle)
        self.assertIn(done.returncode, (NOTHING, USAGE), done.stdout + done.stderr)

    def test_triage_of_what_cannot_be_run_is_inconclusive(self):
        self.expect(FINDING, "canary/oracle", "--no-shrink")
        bundle = self.saved("json")
        content = json.loads(bundle.read_text())
        content["target"]["harness"] = "canary/not-there"
        bundle.write_text(json.dumps(content))
        done = self.expect(INCONCLUSIVE, "triage")
        self.assertIn("1 could not be run", done.stdout)
        bundle.unlink()
        self.expect(NOTHING, "triage")

    def test_a_finding_of_several_inputs_has_a_bundle(self):
        self.expect(FINDING, "canary/lock-irq")
        bundle = self.saved("json")
        self.assertEqual(len(json.loads(bundle.read_text())["joined"]), 2)
        self.saved("txt")
        self.assertIn("still shows", self.expect(FINDING, "bundle", bundle).stdout)
        self.assertIn("1 still show", self.expect(FINDING, "triage").stdout)
        self.refused("replay", "canary/lock-irq", bundle, says="no single input")
        content = json.loads(bundle.read_text())
        content["joined"].pop()
        bundle.write_text(json.dumps(content))
        self.assertIn("is gone", self.expect(NOTHING, "bundle", bundle).stdout)
        content["joined"][0]["harness"] = "canary/not-there"
        bundle.write_text(json.dumps(content))
        self.assertIn("cannot be run again here: there is no target", self.expect(USAGE, "bundle", bundle).stdout)

    def test_corpus(self):
        folder = self.folder / "corpus"
        folder.mkdir()
        (folder / "a").write_bytes(b"")
        (folder / "b.hex").write_text("00ff\n")
        self.assertIn("2 of 2 tapes run", self.expect(NOTHING, "corpus", "lib/format", folder).stdout)
        (folder / "b.json").write_text("{}")
        (folder / "c.txt").write_text("a tape of its own")
        done = self.expect(NOTHING, "corpus", "lib/format", folder)
        self.assertIn("1 of 4 files passed over", done.stdout)
        self.assertIn("3 of 3 tapes run", done.stdout)
        self.assertIn("4 of 4 tapes run", self.expect(NOTHING, "corpus", "--raw", "lib/format", folder).stdout)

    def test_corpus_of_findings(self):
        self.expect(FINDING, "canary/oracle")
        done = self.expect(FINDING, "corpus", "canary/oracle", "out/findings", "--out", "again")
        self.assertIn("2 of 3 files passed over", done.stdout)
        self.assertIn("1 of 1 tapes run, 1 findings.", done.stdout)

    def test_known_findings_are_silent(self):
        self.expect(FINDING, "canary/oracle")
        identity = json.loads(self.saved("json").read_text())["observed"]["identity"]
        known = self.folder / "known.txt"
        known.write_text(f"# tolerated\n{identity}  it is a canary\n")
        done = self.expect(NOTHING, "canary/oracle", "--known", known)
        self.assertNotIn("FINDING", done.stdout)
        known.write_text(f"{identity}\n")
        self.refused("canary/oracle", "--known", known, says="reason")
        self.refused("canary/oracle", "--known", "nowhere.txt", says="nowhere.txt")


class Limits(EndToEnd):
    """Tiny limits of the host (ulimit): a sentence, never a crash and never a clean run that was none."""

    def limited(self, kind, most, *words):
        return self.kiln(*words, preexec_fn=lambda: resource.setrlimit(kind, (most, most)))

    def refused_for(self, kind, most, says):
        done = self.limited(kind, most, "lib/format", "--iterations", "100")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (USAGE, 1), done.stderr)
        self.assertIn(says, done.stderr)

    def test_address_space(self):
        self.refused_for(resource.RLIMIT_AS, 8 << 30, "ulimit -v")

    def test_stack(self):
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        done = self.kiln("canary/oracle", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (64 << 10, hard)))
        self.assertEqual(done.returncode, FINDING, done.stderr)
        done = self.limited(resource.RLIMIT_STACK, 64 << 10, "canary/oracle")
        if done.returncode != FINDING:  # whoever may raise a hard limit does
            self.refused_for(resource.RLIMIT_STACK, 64 << 10, "ulimit -s")

    def test_files_that_may_not_grow(self):
        done = self.limited(resource.RLIMIT_FSIZE, 0, "list", "--json", "list.json")
        self.assertEqual(done.returncode, INCONCLUSIVE, done.stderr)
        self.assertIn("File too large", done.stderr)

    def test_open_files(self):
        for most in range(4, 20):
            done = self.limited(resource.RLIMIT_NOFILE, most, "lib/format", "--iterations", "100")
            self.assertIn(done.returncode, (NOTHING, USAGE, INCONCLUSIVE), done.stdout + done.stderr)
            whole = "lib/format                       100 inputs" in done.stdout
            self.assertEqual(done.returncode == NOTHING, whole, done.stdout + done.stderr)

    @unittest.skipIf(os.geteuid() != 0, "needs to unmount")
    def test_without_proc(self):
        inside = 'mount --make-rprivate / && umount -l /proc && exec "$@"'
        done = subprocess.run(["unshare", "-m", "sh", "-c", inside, "sh", PROGRAM, "list"],
                              capture_output=True, text=True)
        if "kiln: " not in done.stderr and done.returncode != NOTHING:
            self.skipTest("nothing can be unmounted here")
        self.assertEqual((done.returncode, done.stderr.count("kiln: ")), (USAGE, 1), done.stderr)
        self.assertIn("/proc", done.stderr)


class Trouble(EndToEnd):
    def test_a_full_disk_loses_no_finding(self):
        def full():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

        done = self.expect(FINDING, "canary/oracle", "--no-shrink", preexec_fn=full)
        self.assertRegex(done.stderr, r"(?m)^[0-9a-f]{8,}$|\(the empty tape\)")

    def test_reports_that_cannot_be_written(self):
        done = self.expect(INCONCLUSIVE, "lib/format", "--iterations", "100", "--json", "/dev/full")
        self.assertIn("/dev/full", done.stderr)
        self.expect(FINDING, "canary/oracle", "--junit", "/dev/full")

    def test_an_output_folder_that_cannot_be_used(self):
        (self.folder / "file").write_text("")
        self.refused("lib/format", "--out", "file/below", says="--out DIR")
        self.refused("lib/format", "--out", "/proc/kiln", says="--out DIR")

    @unittest.skipIf(os.geteuid() != 0, "needs a read-only mount")
    def test_a_read_only_output_folder(self):
        place = self.folder / "read-only"
        place.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", place], capture_output=True).returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        self.refused("lib/format", "--out", place, says="--out DIR")

    def test_without_a_symbolizer(self):
        # As the program starts itself, but with nothing in PATH.
        bare = {"PATH": "/nonexistent", "KILN_STARTED": "1", "KILN_SCREEN": "plain"}
        done = self.expect(FINDING, "canary/oracle", "--no-shrink", env=bare)
        self.assertIn("llvm-19", done.stdout + done.stderr)
        self.assertIn("MISSING: install llvm-19", self.expect(NOTHING, "doctor", env=bare).stdout)


if __name__ == "__main__":
    unittest.main()
