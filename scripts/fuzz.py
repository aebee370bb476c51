#!/usr/bin/env python3
"""The front door: builds what is missing, then hands over to the program `kiln`.

    scripts/fuzz.py                                    the gate
    scripts/fuzz.py sync/locks --seed 7 --seconds 300  a campaign
    scripts/fuzz.py --replay TARGET FILE               a finding again
    scripts/fuzz.py --help                             everything else

Of its own: --flavour NAME (gate, fast, cover, mutants, mutants-harness), --kernel NAME (one of your own, see
docs/bring-your-kernel.md) and --no-build. All other words go to `kiln`.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAVOURS = ("gate", "fast", "cover", "mutants", "mutants-harness")
PROGRESS = re.compile(r"\[\d+/\d+\] ")  # of ninja, for what went well
# Those that are a preset with something added.
PRESETS = {"mutants-harness": ["mutants", "-D", "KILN_HARNESS_MUTANTS=ON"]}
TOOLS = {"clang++-19": "clang-19", "ld.lld-19": "lld-19", "cmake": "cmake", "ninja": "ninja-build"}


def refuse(sentence):
    print(f"fuzz.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def own_options(words):
    """Takes --flavour, --kernel and --no-build out of the words; some commands have a flavour of their own."""
    needs = {"--flavour": "a name: " + ", ".join(FLAVOURS),
             "--kernel": "a name: clay, or that of a kernel of your own"}
    given, build, rest = {}, True, []
    words = iter(words)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--no-build":
            build = False
        elif option in needs:
            given[option] = value if equals else next(words, None)
            given[option] or refuse(f"{option} needs {needs[option]}")
        else:
            rest.append(word)
    flavour = given.get("--flavour") or flavour_of(rest)
    if flavour not in FLAVOURS:
        refuse(f"there is no flavour {flavour!r}; it is one of {', '.join(FLAVOURS)}")
    kernel = given.get("--kernel", "clay")
    return flavour, "kiln" if kernel == "clay" else f"kiln-{kernel}", build, rest


def flavour_of(words):
    """Of the command: `cover` and `mutate` have their own, and so has what runs with a mutant."""
    if words[:1] == ["cover"]:
        return "cover"
    armed = any(word.partition("=")[0] == "--mutant" for word in words)
    if words[:1] == ["mutate"] and "--harness" in words:
        return "mutants-harness"
    return "mutants" if words[:1] == ["mutate"] or armed else "gate"


def step(command, what):
    """Quiet unless it fails; somebody at a terminal sees how far it is."""
    watched = sys.stderr.isatty()
    done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr if watched else subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        lines = (done.stdout or "").splitlines(keepends=True)
        sys.stderr.writelines(line for line in lines if not PROGRESS.match(line))
        refuse(f"{what} failed, see above; nothing was run")


def wait_for_turn(folder):
    """Two builds in one folder would write the same files. The lock goes with the process."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder / "fuzz.lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"another fuzz.py builds in {folder}: waiting for it", file=sys.stderr)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def build(flavour, name):
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        refuse(f"these Debian packages are missing: {' '.join(missing)}; scripts/setup.sh installs them")
    folder = ROOT / "build" / flavour
    turn = wait_for_turn(folder)
    if not (folder / "build.ninja").exists():
        print(f"building flavour '{flavour}': the first time takes minutes", file=sys.stderr)
        step(["cmake", "-B", str(folder), "--preset", *PRESETS.get(flavour, [flavour])], "configuring")
    step(["cmake", "--build", str(folder), "--target", name], "the build")
    turn.close()


def main():
    flavour, name, wanted, rest = own_options(sys.argv[1:])
    program = ROOT / "build" / flavour / name
    only_asks = "--help" in rest and program.exists()
    if wanted and not only_asks:
        build(flavour, name)
    if not program.exists():
        refuse(f"{program} is not there; run without --no-build")
    sys.stdout.flush()
    try:
        os.execv(program, [str(program), *rest])
    except OSError as problem:
        refuse(f"{program} cannot be started ({problem.strerror}); remove build/{flavour} to build it anew")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("fuzz.py: interrupted before anything was run", file=sys.stderr)
        sys.exit(4)
    except OSError as problem:
        refuse(f"nothing was run, the host refuses: {problem}; are processes or files limited (ulimit -u, -n)?")
