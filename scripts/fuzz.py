#!/usr/bin/env python3
"""The front door: builds what is missing, then hands over to the program `kiln`.

    scripts/fuzz.py                                    the gate
    scripts/fuzz.py sync/locks --seed 7 --seconds 300  a campaign
    scripts/fuzz.py --replay TARGET FILE               a finding again
    scripts/fuzz.py --help                             everything else

Of its own: --flavour NAME (gate, fast, cover) and --no-build. All other words go to `kiln`.
"""

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAVOURS = ("gate", "fast", "cover")
TOOLS = {"clang++-19": "clang-19", "ld.lld-19": "lld-19", "cmake": "cmake", "ninja": "ninja-build"}


def refuse(sentence):
    print(f"fuzz.py: {sentence}", file=sys.stderr)
    sys.exit(2)


def own_options(words):
    """Takes --flavour and --no-build out of the words; `cover` has a flavour of its own."""
    flavour, build, rest = None, True, []
    words = iter(words)
    for word in words:
        if word == "--no-build":
            build = False
        elif word == "--flavour":
            flavour = next(words, None) or refuse("--flavour needs a name: " + ", ".join(FLAVOURS))
        elif word.startswith("--flavour="):
            flavour = word.split("=", 1)[1]
        else:
            rest.append(word)
    if flavour is None:
        flavour = "cover" if rest[:1] == ["cover"] else "gate"
    if flavour not in FLAVOURS:
        refuse(f"there is no flavour '{flavour}'; it is one of {', '.join(FLAVOURS)}")
    return flavour, build, rest


def step(command, what):
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        refuse(f"{what} failed, see above; nothing was run")


def build(flavour):
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        refuse(f"these Debian packages are missing: {' '.join(missing)}; scripts/setup.sh installs them")
    folder = ROOT / "build" / flavour
    if not (folder / "build.ninja").exists():
        print(f"building flavour '{flavour}': the first time takes minutes", file=sys.stderr)
        step(["cmake", "--preset", flavour], "configuring")
    step(["cmake", "--build", str(folder), "--target", "kiln"], "the build")


def check_limits():
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        refuse("the address space is limited (ulimit -v), and AddressSanitizer reserves terabytes of it, unused; "
               "start again without the limit (--memory bounds what is used)")


def main():
    flavour, wanted, rest = own_options(sys.argv[1:])
    if wanted:
        build(flavour)
    program = ROOT / "build" / flavour / "kiln"
    if not program.exists():
        refuse(f"{program} is not there; run without --no-build")
    if flavour != "fast":
        check_limits()
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
