#!/usr/bin/env python3
"""No writable memory of the kernel side lies outside the region that a reset puts back.

    scripts/check_regions.py PROGRAM OBJECT-OR-ARCHIVE...

The objects are those compiled with the kernel's flags. Two things are held against the program:
each of their writable sections is one that cmake/kmachine.ld.in collects, and each variable that they
define, a copy of an inline variable of a header included, has its address inside the region
(whichever object's copy the linker kept). Exit code 1 and a line for each that does not; 2 when
there is nothing to look at."""

import re
import subprocess
import sys

COLLECTED = re.compile(r"\.(data|bss)(\..*)?$")
# Read-only once the program runs, the sanitizers' own records about the code, or the switches of
# mutants, which stay as they are from input to input.
OF_THE_TOOLCHAIN = re.compile(r"(kiln_mutants|\.init_array|\.fini_array|\.data\.rel\.ro|\.tm_clone|asan_globals|"
                              r"__sancov_|__llvm_prf_|__llvm_)")
DATA = set("bBdDVuG")
SECTION = re.compile(r"\s*\[ *\d+\] (?P<name>\S+) +(PROGBITS|NOBITS) +(?P<address>\S+) +\S+ +"
                     r"(?P<size>\S+) +\S+ +(?P<flags>\S*)")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def writable_sections(path):
    """File, name, address, size and flags of the writable sections that hold something."""
    file = path
    for line in run("llvm-readelf-19", "--sections", "--wide", path).splitlines():
        if line.startswith("File: "):
            file = line[6:]
        found = SECTION.match(line)
        if found and int(found["size"], 16) != 0 and "W" in found["flags"]:
            yield file, found["name"], int(found["address"], 16), int(found["size"], 16), found["flags"]


def wrong_sections(path):
    """Writable sections of the objects in `path` that the linker script does not collect."""
    for file, name, _, _, flags in writable_sections(path):
        if "T" in flags:
            yield f"{file}: {name} is thread-local; the machine resets no such memory"
        elif not COLLECTED.match(name) and not OF_THE_TOOLCHAIN.match(name):
            yield f"{file}: the writable section {name} is not collected"


def variables(path):
    """Names of the writable variables that the objects define."""
    names = set()
    for line in run("llvm-nm-19", "--defined-only", "--format=posix", path).splitlines():
        word = line.split()
        if len(word) >= 2 and word[1] in DATA:
            names.add(word[0])
    return names


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, objects = sys.argv[1], sys.argv[2:]
    symbols = [line.split() for line in run("llvm-nm-19", "--defined-only", "--format=posix", program).splitlines()]
    places = {}
    for word in symbols:
        if len(word) >= 3:
            places.setdefault(word[0], []).append((int(word[2], 16), word[1]))
    writable = [(address, address + size) for _, name, address, size, _ in writable_sections(program)
                if not OF_THE_TOOLCHAIN.match(name)]
    begin, end = places["__kmachine_start"][0][0], places["__kmachine_end"][0][0]
    wrong, looked_at = [], 0
    for path in objects:
        wrong += wrong_sections(path)
        for name in sorted(variables(path)):
            for address, kind in places.get(name, []):
                if kind not in DATA or not any(low <= address < high for low, high in writable):
                    continue  # a constant
                looked_at += 1
                if not begin <= address < end:
                    wrong.append(f"{path}: {name} at {address:#x} is outside of {begin:#x} to {end:#x}")
    if looked_at == 0:
        print("no variable of the kernel side was found in the program: nothing was checked")
        return 2
    print("\n".join(wrong) or f"{looked_at} variables, all inside the region of {end - begin} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
