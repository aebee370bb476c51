"""boot/module and real tools: modules that a compiler and a linker have made are loaded, and the readelf
of LLVM and that of the GNU tools read the same in them, and in generated ones, as the loader's second reader."""

import re
import subprocess
import unittest

from support import NOTHING, EndToEnd

MACHINES = {"x86_64": {"word": 1, "table": 6, "plt": 7, "relative": 8},
            "aarch64": {"word": 257, "table": 1025, "plt": 1026, "relative": 1027}}
NO_RELOCATION = (0, 256)

MODULE = """
extern int kprint(const char*);
extern int no_such_thing(void) __attribute__((weak));
static int start(void) { return no_such_thing ? no_such_thing() : kprint("hello"); }
static void stop(void) {}
int counter = 5;
int* reference = &counter;
char zeros[9000];
struct { unsigned long version; const char* name; int (*init)(void); void (*exit)(void); }
    clay_module = {1, "compiled", start, stop};
"""


def compile_module(folder, machine, name, text, *options):
    source = folder / f"{name}.c"
    source.write_text(text)
    made = folder / f"{name}.so"
    subprocess.run(["clang-19", f"--target={machine}-linux-gnu", "-nostdlib", "-shared", "-fPIC", "-O1",
                    "-fuse-ld=lld", *options, str(source), "-o", str(made)], check=True,
                   capture_output=True)
    return made


def readelf(file, *options, program="llvm-readelf-19"):
    """What it says, and its warnings."""
    done = subprocess.run([program, "-W", *options, str(file)], capture_output=True, text=True)
    return done.stdout, done.stderr


def segments_by_readelf(file):
    found = []
    for line in readelf(file, "-l")[0].splitlines():
        words = line.split()
        if words[:1] != ["LOAD"] or int(words[5], 16) == 0:
            continue
        flags = "".join(words[6:-1])
        found.append((int(words[2], 16), int(words[5], 16), int(words[4], 16), int(words[1], 16),
                      "r" + ("w" if "W" in flags else "-") + ("x" if "E" in flags else "-")))
    return found


def symbols_by_readelf(file):
    """By the GNU one: LLVM's cannot count them by the GNU tools' hash table alone."""
    imports, others = [], []
    for line in readelf(file, "--use-dynamic", "--symbols", program="readelf")[0].splitlines():
        match = re.match(r" +(\d+): ([0-9a-f]{16}) +(\d+) +(.*) DEFAULT +(\S+) ?(.*)$", line)
        if not match or match[1] == "0":
            continue
        if match[5] == "UND":
            imports.append((match[6], "WEAK" in match[4]))
        else:
            others.append((match[6], int(match[2], 16), int(match[3])))
    return imports, others


def relocations_by_readelf(file):
    found = []
    for line in readelf(file, "--dyn-relocations")[0].splitlines():
        match = re.match(r"([0-9a-f]{16})  ([0-9a-f]{16}) \S+ +(.*)$", line)
        if not match:
            continue
        info = int(match[2], 16)
        addend = re.search(r"(?:([+-]) |(-)|)([0-9a-f]+)$", match[3])
        value = int(addend[3], 16) * (-1 if "-" in (addend[1], addend[2]) else 1)
        if info & 0xFFFFFFFF not in NO_RELOCATION:
            found.append((int(match[1], 16), info & 0xFFFFFFFF, info >> 32, value % 2**64))
    return found


def as_fed(text):
    """The same, as `feed` prints it."""
    segments = [(int(a, 16), int(b), int(c), int(d, 16), e) for a, b, c, d, e in re.findall(
        r"^segment 0x(\w+): (\d+) bytes, (\d+) from 0x(\w+), (r..)$", text, re.M)]
    imports = [(name, weak != "") for name, weak in re.findall(r"^import (.*?)( \(weak\))?$", text, re.M)]
    symbols = [(name, int(value, 16), int(size)) for name, value, size in re.findall(
        r"^symbol (.*): 0x(\w+), (\d+) bytes$", text, re.M)]
    relocations = [(int(place, 16), int(kind), int(symbol), int(addend, 16)) for place, kind, symbol, addend
                   in re.findall(r"^relocation 0x(\w+): type (\d+), symbol (\d+), addend 0x(\w+)$", text, re.M)]
    return segments, (imports, symbols), relocations


class ModuleTest(EndToEnd):
    def feed(self, file):
        return self.expect(NOTHING, "feed", "boot/module", file).stdout

    def same_by_readelf(self, file, text):
        segments, symbols, relocations = as_fed(text)
        self.assertEqual(segments, segments_by_readelf(file))
        self.assertEqual(symbols, symbols_by_readelf(file))
        self.assertEqual(sorted(relocations), sorted(relocations_by_readelf(file)))


class CompiledModules(EndToEnd):
    feed = ModuleTest.feed
    same_by_readelf = ModuleTest.same_by_readelf

    def test_are_loaded_and_read_as_readelf_reads_them(self):
        layouts = ([], ["-Wl,--hash-style=sysv"], ["-Wl,-z,separate-code"], ["-Wl,-z,norelro"],
                   ["-Wl,-z,max-page-size=65536", "-Wl,--hash-style=both"], ["-Wl,--no-rosegment"],
                   ["-Wl,-z,rodynamic"])
        for machine, kinds in MACHINES.items():
            for n, options in enumerate(layouts):
                with self.subTest(machine=machine, options=options):
                    made = compile_module(self.folder, machine, f"{machine}-{n}", MODULE, *options)
                    text = self.feed(made)
                    self.assertIn("loaded at 0xffffffffa0000000: 'compiled'", text)
                    self.same_by_readelf(made, text)
                    _, (imports, symbols), relocations = as_fed(text)
                    self.assertIn(("kprint", False), imports)
                    self.assertIn(("no_such_thing", True), imports)
                    self.assertIn("zeros", [name for name, _, size in symbols if size == 9000])
                    self.assertEqual({kind for _, kind, _, _ in relocations}, set(kinds.values()))

    def test_refused(self):
        cases = {
            "missing": (MODULE.replace("kprint", "kprnt"), [], r"no symbol of that name \(at \d+\): kprnt$"),
            "nameless": (MODULE.replace("clay_module", "other"), [], "there is no descriptor"),
            "version": (MODULE.replace("{1,", "{2,"), [], "of another version"),
            "constructor": (MODULE + "__attribute__((constructor)) void c(void) { *(volatile int*)&counter = 1; }", [],
                            "initialisers"),
            "threads": (MODULE + "__thread int local = 3; int get(void) { return local; }",
                        ["-ftls-model=initial-exec"], "thread-local"),
            "text": (MODULE + "__attribute__((section(\".fixed\"))) const int* const there = &counter;",
                     ["-Wl,-z,notext", "-fno-PIC", "-mcmodel=large"], "what may not be written"),
            "packed": (MODULE, ["-Wl,--pack-dyn-relocs=relr"], "another form than with addends"),
            "writable": (MODULE, ["-Wl,--omagic"], "written and executed|aligned differently"),
        }
        for machine in MACHINES:
            for name, (text, options, says) in cases.items():
                if name == "text" and machine == "aarch64":
                    continue  # its code model has no such relocation
                with self.subTest(machine=machine, case=name):
                    said = self.feed(compile_module(self.folder, machine, name, text, *options))
                    self.assertRegex(said, re.compile(r"^refused: .*(" + says + ")", re.M))
                    self.assertNotIn("loaded at", said)


class GeneratedModules(EndToEnd):
    feed = ModuleTest.feed
    same_by_readelf = ModuleTest.same_by_readelf

    def test_are_read_alike_by_readelf(self):
        """Of those that are loaded; llvm-readelf wants entries of exactly the format's sizes."""
        read = 0
        for iteration in range(1, 61):
            self.expect(NOTHING, "artefact", "boot/module", "--only", f"1:{iteration}", "-o", "module.so")
            text = self.feed("module.so")
            file = self.folder / "module.so"
            warnings = readelf(file, "-l", "--dyn-syms", "--dyn-relocations")[1]
            if "loaded at" not in text or re.search(r"e_phentsize|DT_SYMENT|DT_RELAENT", warnings):
                continue
            with self.subTest(iteration=iteration):
                self.same_by_readelf(file, text)
                read += 1
        self.assertGreater(read, 10)


if __name__ == "__main__":
    unittest.main()
