#!/usr/bin/env python3
"""Holds the table of docs/architecture.md, "Folders and arrows", against the sources: which folder
may include which. Prints every include that runs the wrong way; exit code 1 when there is one."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAY_INCLUDE = {
    "sim": {"sim"},
    "kernel-src": {"kernel-src"},
    "hal-host": {"hal-host", "kernel-src/hal", "sim"},
    "generators": {"generators", "sim"},
    "worlds": {"worlds", "generators", "sim"},
    "targets": {"targets", "kernel-src", "hal-host", "worlds", "generators", "sim"},
    "gates": {"gates", "sim"},
    "mutants": {"mutants", "sim/mutants.h"},
    "examples": {"sim", "worlds", "generators"},
}
# Inside gates/: each folder may include itself and those before it.
LAYERS = ["support", "tape", "finding", "worker", "shrink", "mutate", "report", "cli", "desk", "run",
          "mutation", "bench", "commands"]
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def allowed(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def wrong_includes(folder):
    for source in sorted((ROOT / folder).rglob("*")):
        if source.suffix not in (".h", ".cpp"):
            continue
        for number, line in enumerate(source.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            ours = found and allowed(found[1], list(MAY_INCLUDE) + ["tests"])
            if ours and not allowed(found[1], MAY_INCLUDE[folder]):
                yield f"{source.relative_to(ROOT)}:{number}: {folder}/ may not include {found[1]}"


def wrong_layers():
    """An include inside gates/ that climbs; gates/*.cpp, the programs' main files, may include all."""
    for source in sorted((ROOT / "gates").glob("*/**/*")):
        if source.suffix not in (".h", ".cpp"):
            continue
        layer = source.relative_to(ROOT / "gates").parts[0]
        below = LAYERS[: LAYERS.index(layer) + 1] if layer in LAYERS else []
        for number, line in enumerate(source.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found and found[1].startswith("gates/") and found[1].split("/")[1] not in below:
                yield f"{source.relative_to(ROOT)}:{number}: gates/{layer}/ may not include {found[1]}"


def main():
    wrong = [line for folder in MAY_INCLUDE for line in wrong_includes(folder)]
    wrong += wrong_layers()
    print("\n".join(wrong) or "all includes run the right way")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
