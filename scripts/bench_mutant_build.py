#!/usr/bin/env python3
"""What all mutants of some files cost to build in one program, and what they would cost compiled one
by one, measured side by side:

    scripts/bench_mutant_build.py [--sample N] [FILE...]

Both begin with a built program without these mutants. One by one: the source with the mutant alone,
its object, the link; of N mutants, on all processors. Builds in build/mutants-bench and needs
build/gate."""

import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GATE = ROOT / "build/gate"
BENCH = ROOT / "build/mutants-bench"
FILES = ["kernel-src/boot/cmdline.cpp", "kernel-src/mm/heap.cpp", "kernel-src/sync/mutex.cpp"]
NO_CACHE = {**os.environ, "CCACHE_DISABLE": "1"}


def run(words, env=NO_CACHE, **more):
    done = subprocess.run(words, capture_output=True, text=True, env=env, **more)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, words))[:200]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def build(files, env=NO_CACHE):
    """Seconds to come from whatever is built to a program with the mutants of `files`."""
    mutator = GATE / "kiln-mutator"
    run(["cmake", "--preset", "mutants", "-B", BENCH, "-D", f"KILN_MUTATOR={mutator}",
         "-D", f"KILN_MUTATED_FILES={';'.join(files)}"], cwd=ROOT)
    begin = time.monotonic()
    run(["cmake", "--build", BENCH, "--target", "kiln"], env)
    return time.monotonic() - begin


def commands_of_gate():
    """How the gate flavour compiles each source, and how it links."""
    compiles = {Path(entry["file"]).relative_to(ROOT).as_posix(): shlex.split(entry["command"])
                for entry in json.loads((GATE / "compile_commands.json").read_text())
                if Path(entry["file"]).is_relative_to(ROOT)}
    link = run(["ninja", "-C", GATE, "-t", "commands", "kiln"]).splitlines()[-1]
    return compiles, link.removeprefix(": && ").removesuffix(" && :")


def write_alone(mutant, source):
    text = (ROOT / mutant["path"]).read_bytes()
    for edit in sorted(mutant["edits"], key=lambda edit: -edit["begin"]):
        text = text[:edit["begin"]] + edit["text"].encode() + text[edit["end"]:]
    source.write_bytes(b'#include "kiln_mutants.h"\n' + text)


def build_alone(mutant, compiles, link, folder):
    path = mutant["path"]
    source = Path(folder) / f"{mutant['number']}.cpp"
    object_file = source.with_suffix(".o")
    write_alone(mutant, source)
    words = compiles[path][:]
    old_object = words[words.index("-o") + 1]
    words[words.index("-o") + 1] = object_file
    words[-1] = source
    run(words + ["-w", "-I", BENCH / "mutated", "-iquote", (ROOT / path).parent], cwd=GATE)
    words = shlex.split(link)
    archive = next((word for word in words if word.endswith("libclay.a")), None)
    if archive is None:
        sys.exit("build/gate links no libclay.a: this script is behind the build")
    own = object_file.with_suffix(".a")
    own.write_bytes((GATE / archive).read_bytes())
    member = Path(folder) / str(mutant["number"]) / Path(old_object).name
    member.parent.mkdir()
    object_file.rename(member)
    run(["llvm-ar-19", "r", own, member])
    words[words.index(archive)] = own
    program = source.with_suffix(".elf")
    words[words.index("-o") + 1] = program
    run(words, cwd=GATE)
    program.unlink()
    own.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--sample", type=int, default=20, metavar="N")
    parser.add_argument("files", nargs="*", metavar="FILE", default=FILES)
    options = parser.parse_args()
    if not (GATE / "kiln-mutator").exists():
        sys.exit("There is no build/gate/kiln-mutator: build the gate flavour first.")
    build([], os.environ) # this one may come from a cache
    together = build(options.files)
    mutants = [mutant for mutant in json.loads((BENCH / "mutated/mutants.json").read_text())["mutants"]
               if mutant["path"] in options.files and mutant["kind"] == "Kernel"]
    sample = mutants[::max(1, len(mutants) // options.sample)][:options.sample]
    compiles, link = commands_of_gate()
    jobs = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="kiln-bench-") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        begin = time.monotonic()
        list(pool.map(lambda mutant: build_alone(mutant, compiles, link, folder), sample))
        each = (time.monotonic() - begin) / len(sample)
    alone = each * len(mutants)
    print(f"{len(mutants)} mutants of {len(options.files)} files on {jobs} processors")
    print(f"one program:  {together:8.1f} s")
    print(f"one by one:   {alone:8.1f} s  ({each:.2f} s each, {len(sample)} built)")
    print(f"ratio:        {alone / together:8.1f}")


if __name__ == "__main__":
    main()
