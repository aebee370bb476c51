#!/usr/bin/env python3
"""Compiles kernel-src/ alone, freestanding, into one relocatable object, and compares what it
leaves undefined with the functions that kernel-src/hal/*.h declare.

Checks: the kernel compiles without a hosted library, needs nothing but its HAL, has no constructor
or destructor that runs by itself, and does not define what the machine is to provide. Does not
check that a HAL is complete: functions that the kernel never calls are reported, not refused.

    check_freestanding.py [--compiler clang++-19] [--linker ld.lld-19] [--nm llvm-nm-19]
                          [--jobs N] [--build FOLDER]

Exit codes: 0 all is well, 1 it is not, 2 it could not be tried.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fno-exceptions",
         "-fno-rtti", "-fno-threadsafe-statics", "-nostdlib", "-fno-pie", "-I", str(ROOT)]
PROVIDED_BY_KERNEL = "entry.h"


def fail(message):
    print(f"check_freestanding: {message}", file=sys.stderr)
    raise SystemExit(2)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def declared_functions(header):
    """Names of the functions that a header of the contract declares."""
    text = without_comments(header.read_text())
    text = re.sub(r"\b(?:enum|struct)\b[^;{]*\{[^}]*\}", "", text)  # bodies, and what is in them
    text = text.replace('extern "C" {', "")
    names = set()
    for statement in text.split(";"):
        statement = "\n".join(line for line in statement.splitlines() if not line.startswith("#"))
        match = re.search(r"(\w+)\s*\(", statement)
        if match and "constexpr" not in statement:
            names.add(match.group(1))
    return names


def compile_one(arguments, source, folder):
    target = folder / (str(source.relative_to(ROOT)).replace("/", "_") + ".o")
    command = [*arguments.launcher, arguments.compiler, *FLAGS, "-c", str(source), "-o",
               str(target)]
    done = subprocess.run(command, capture_output=True, text=True)
    return target, done.returncode, done.stderr


def compile_all(arguments, folder):
    sources = sorted((ROOT / "kernel-src").rglob("*.cpp"))
    if not sources:
        fail("kernel-src/ holds no sources")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda s: compile_one(arguments, s, folder), sources))
    broken = [errors for _, code, errors in results if code != 0]
    if broken:
        print("".join(broken), file=sys.stderr)
        print(f"{len(broken)} of {len(sources)} sources do not compile freestanding")
        raise SystemExit(1)
    return [target for target, _, _ in results]


def link(arguments, objects, folder):
    whole = folder / "clay.o"
    done = subprocess.run([arguments.linker, "-r", "-o", str(whole), *map(str, objects)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        raise SystemExit(1)
    return whole


def symbols(arguments, whole, *options):
    output = subprocess.run([arguments.nm, *options, str(whole)], check=True, capture_output=True,
                            text=True).stdout
    return {line.split()[-1] for line in output.splitlines() if line.split()}


def has_constructors(whole):
    """Whether code of the object runs before or after everything else."""
    sections = subprocess.run(["readelf", "-SW", str(whole)], check=True, capture_output=True,
                              text=True).stdout
    return sorted(set(re.findall(r"\.(?:init_array|fini_array|ctors|dtors)\S*", sections)))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--linker", default="ld.lld-19")
    parser.add_argument("--nm", default="llvm-nm-19")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--build", type=pathlib.Path, help="keep the objects here")
    arguments = parser.parse_args()
    for tool in (arguments.compiler, arguments.linker, arguments.nm, "readelf"):
        if shutil.which(tool) is None:
            fail(f"{tool} is not here; install the packages of scripts/packages.txt")
    launcher = os.environ.get("KILN_COMPILER_LAUNCHER", "")
    arguments.launcher = [launcher] if launcher and shutil.which(launcher) else []
    return arguments


def check(arguments, folder):
    contract, entries = set(), set()
    for header in sorted((ROOT / "kernel-src" / "hal").glob("*.h")):
        (entries if header.name == PROVIDED_BY_KERNEL else contract).update(
            declared_functions(header))
    whole = link(arguments, compile_all(arguments, folder), folder)
    undefined = symbols(arguments, whole, "--undefined-only")
    defined = symbols(arguments, whole, "--defined-only", "--extern-only")
    problems = [f"needs {name}, which kernel-src/hal/ does not declare"
                for name in sorted(undefined - contract)]
    problems += [f"defines {name}, which belongs to the machine"
                 for name in sorted(defined & contract)]
    problems += [f"does not define {name}, by which the machine enters it"
                 for name in sorted(entries - defined)]
    problems += [f"has code that runs by itself: section {name}"
                 for name in has_constructors(whole)]
    for problem in problems:
        print(f"the kernel {problem}")
    unused = sorted(contract - undefined)
    print(f"{len(undefined)} undefined symbols, {len(contract)} functions in the contract"
          + (f"; never called: {', '.join(unused)}" if unused else ""))
    return 1 if problems else 0


def main():
    arguments = parse_arguments()
    if arguments.build:
        arguments.build.mkdir(parents=True, exist_ok=True)
        return check(arguments, arguments.build)
    with tempfile.TemporaryDirectory() as folder:
        return check(arguments, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
