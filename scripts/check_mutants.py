#!/usr/bin/env python3
"""Holds the catalogue of named mutants against its rules (gates/mutants/README.md) and the sources.

    scripts/check_mutants.py [--catalogue FOLDER]

Every patch has its header, applies to the sources, and changes function bodies only; every kind of
the README's table has a patch. A line for each that does not; exit code 1 when there is one, 2 when
nothing could be checked."""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from function_bodies import outside

ROOT = Path(__file__).resolve().parent.parent
FIELDS = ["Kind", "Target", "Within", "Was"]
MOST_INPUTS = 20000
NAME = re.compile(r"(?:[a-z](?P<number>\d\d)|n)-[a-z0-9]+(-[a-z0-9]+)*")
NO_KIND = "none"
KIND_ROW = re.compile(r"^\| ([A-Z]\d+) \|", re.MULTILINE)
CHANGED = re.compile(r"^(?:---|\+\+\+) [ab]/(\S+)$", re.MULTILINE)
TARGET = re.compile(r'"([a-z0-9]+/[a-z0-9-]+)"')


def header_of(text):
    """The fields before the first empty line, in order, and the rest."""
    head, _, diff = text.partition("\n\n")
    fields = [line.partition(": ") for line in head.split("\n")]
    return [(name, value) for name, _, value in fields], diff


def prefix_of(kind):
    return "n-" if kind == NO_KIND else f"{kind[0].lower()}{int(kind[1:]):02}-"


def wrong_header(name, fields, kinds, targets):
    if [field for field, value in fields if value] != FIELDS:
        yield "its header is not " + ", ".join(f"'{field}: ...'" for field in FIELDS)
        return
    kind, target, within, _ = (value for _, value in fields)
    if kind != NO_KIND and kind not in kinds:
        yield f"the kind {kind} is not in the README's table"
    elif not NAME.fullmatch(name) or not name.startswith(prefix_of(kind)):
        yield f"a name for the kind {kind} begins with {prefix_of(kind)}; small letters, digits, dashes"
    if target not in targets:
        yield f"there is no target {target}"
    if not within.isdigit() or not 1 <= int(within) <= MOST_INPUTS:
        yield f"'Within: {within}' is no number from 1 to {MOST_INPUTS}"


def patched(patch, paths):
    """The sources with the patch, by path; a text says why it does not apply."""
    with tempfile.TemporaryDirectory(prefix="kiln-mutant-") as folder:
        for path in paths:
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, Path(folder) / path)
        done = subprocess.run(["git", "apply", "--whitespace=nowarn", patch.resolve()], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or ["git apply says nothing"])[0]
        return {path: (Path(folder) / path).read_text() for path in paths}


def wrong_diff(patch, diff):
    paths = sorted(set(CHANGED.findall(diff)))
    if not paths:
        yield "there is no diff"
        return
    strangers = [path for path in paths if not path.startswith("kernel-src/") or not (ROOT / path).is_file()]
    if strangers:
        yield f"it changes {strangers[0]}, which is no source of the kernel"
        return
    sources = patched(patch, paths)
    if isinstance(sources, str):
        yield f"it does not apply: {sources}"
        return
    for path, text in sources.items():
        before = (ROOT / path).read_text()
        if text == before:
            yield f"it leaves {path} as it is"
        elif outside(text) != outside(before):
            yield f"it changes more than function bodies in {path}"


def known_targets():
    sources = sorted((ROOT / "targets").rglob("*.cpp")) + sorted((ROOT / "targets").rglob("*.h"))
    return {name for source in sources for name in TARGET.findall(source.read_text())}


def wrong_in(catalogue):
    kinds = KIND_ROW.findall((catalogue / "README.md").read_text())
    targets, seen = known_targets(), set()
    for patch in sorted(catalogue.glob("*.patch")):
        fields, diff = header_of(patch.read_text())
        seen.update(value for field, value in fields if field == "Kind")
        for wrong in [*wrong_header(patch.stem, fields, kinds, targets), *wrong_diff(patch, diff)]:
            yield f"{patch.name}: {wrong}"
    for kind in kinds:
        if kind not in seen:
            yield f"README.md: no patch is of the kind {kind}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--catalogue", type=Path, default=ROOT / "gates" / "mutants", metavar="FOLDER")
    catalogue = parser.parse_args().catalogue
    if shutil.which("git") is None:
        print("git is missing, which applies the patches: install it", file=sys.stderr)
        return 2
    if not (catalogue / "README.md").is_file() or not list(catalogue.glob("*.patch")):
        print(f"{catalogue} has no README.md, or no patches: give the folder of a catalogue", file=sys.stderr)
        return 2
    wrong = list(wrong_in(catalogue))
    print("\n".join(wrong) or f"{len(list(catalogue.glob('*.patch')))} named mutants, all by the rules")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
