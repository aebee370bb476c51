#!/usr/bin/env python3
"""Runs all targets twice, with other workers, another order, another folder and another
environment, and compares the digests: the million-input run of the release tier.

    scripts/check_determinism.py [--inputs N] [--program FILE] [--other FILE] [TARGET...]

--inputs: over all targets together, 1,000,000 when not given. --other: the program of the second
run, for instance that of another flavour. Exit code 1 and a line for each target that differs."""

import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def kiln(program, words, folder, environment):
    report = Path(folder) / "report.json"
    done = subprocess.run([program, *words, "--json", str(report)], cwd=folder, env=environment,
                          capture_output=True, text=True)
    if not report.exists() or done.returncode not in (0, 1):
        sys.stderr.write(done.stdout + done.stderr)
        sys.exit(f"check_determinism: '{' '.join(words)}' ended with code {done.returncode}")
    return json.loads(report.read_text())


def digests(program, names, inputs, words, environment):
    with tempfile.TemporaryDirectory(prefix="kiln ") as folder:
        begin = time.monotonic()
        summary = kiln(program, ["run", *names, "--iterations", str(inputs), "--seed", "1", *words],
                       folder, environment)
        seconds = time.monotonic() - begin
    total = sum(target["inputs"] for target in summary["targets"])
    print(f"{total} inputs in {seconds:.0f} s: kiln run ... --iterations {inputs} {' '.join(words)}")
    return {target["name"]: (target["inputs"], target["digest"]) for target in summary["targets"]}


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("targets", nargs="*", metavar="TARGET", default=["*"])
    words.add_argument("--inputs", type=int, default=1_000_000)
    words.add_argument("--program", type=os.path.abspath, default=str(ROOT / "build" / "gate" / "kiln"))
    words.add_argument("--other", type=os.path.abspath)
    chosen = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        listed = kiln(chosen.program, ["list"], folder, None)
    names = sorted(t["name"] for t in listed
                   if any(fnmatch.fnmatch(t["name"], pattern) for pattern in chosen.targets))
    if not names:
        sys.exit(f"check_determinism: no target is called {' '.join(chosen.targets)}; see fuzz.py list")
    each = -(-chosen.inputs // len(names))
    other = {"PATH": os.environ["PATH"], "HOME": "/", "LANG": "C", "NOISE": "x" * 4321}
    first = digests(chosen.program, names, each, ["--jobs", "2"], None)
    second = digests(chosen.other or chosen.program, names[::-1], each, ["--jobs", "1", "--aslr"], other)
    differing = [name for name in names if first[name] != second.get(name)]
    for name in differing:
        print(f"{name}: {first[name]} and {second.get(name)} differ")
    print(f"{len(names) - len(differing)} of {len(names)} targets have equal digests in both runs")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
