#!/usr/bin/env python3
"""Holds the own ext2 checker (worlds/ext2) against e2fsck.

Images come from everywhere: mke2fs with many options and what other tools make of it; the same lied about; the same
changed by debugfs by name; the own maker's, most of them lied about; and what the oracles of fs/ext2, fs/ext2-small and
fs/ext2-damaged judge: images that the kernel has written, that a cut of the power has left, that were recovered. Each
is judged by both, and what one says the other must say too (e2fsck_words.py). What is left is either a difference that
docs/ext2-checker.md gives a reason for, or it is open: then this fails.

    scripts/check_ext2_checker.py --quick              # the fixed set of each push
    scripts/check_ext2_checker.py --images 6000        # more of them, and more seeds: nightly
    scripts/check_ext2_checker.py --seed 7 --keep DIR  # images with an open difference stay there
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from e2fsck_words import NO_END, compare, is_stricter

ROOT = Path(__file__).resolve().parent.parent
NOW = 1_700_000_000  # what the clock says: for both judges
SECONDS = 20  # for one judgement: e2fsck needs minutes for some images

def kind_of(image):
    """What the superblock says of the format: its revision, and whether it is the Hurd's."""
    with open(image, "rb") as file:
        file.seek(1024 + 72)
        system, revision = (int.from_bytes(file.read(4), "little") for _ in range(2))
    return {"revision": revision, "hurd": system == 1}


def tool(name):
    for folder in ("/usr/sbin", "/sbin", "/usr/bin"):
        if os.path.exists(f"{folder}/{name}"):
            return f"{folder}/{name}"
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{name} is missing: install e2fsprogs")
    return found


ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "E2FSCK_TIME": str(NOW), "E2FSPROGS_FAKE_TIME": str(NOW),
               "MKE2FS_CONFIG": "/dev/null", "PATH": os.environ.get("PATH", "")}


def run(arguments, **more):
    return subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, check=False, **more)


# --- e2fsck's verdict

SILENT = re.compile(r"^(e2fsck 1\.|Pass \d|.*: \d+/\d+ files \(|$)")


def e2fsck(image):
    """What e2fsck says, a line each: nothing when all is well."""
    try:
        done = run([tool("e2fsck"), "-fn", image], timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return [NO_END]
    lines = (done.stdout + done.stderr).decode("latin-1").split("\n")
    said = [line for line in lines if not SILENT.match(line)]
    if done.returncode != 0 and not said:
        said = [f"(exit code {done.returncode})"]
    return said


# --- Images of the own maker, and lies

class Row:
    def __init__(self, line):
        self.image, self.done, kinds, self.words = line.split("\t")
        self.kinds = [] if kinds == "sound" else kinds.split(",")
        # Of many problems the checker keeps the first; of the rest, the kinds.
        self.problems = [line for line in self.words.split(";") if not line.startswith("and ")] if self.kinds else []
        named = {line.split(":")[0] for line in self.problems}
        self.problems += [f"{kind}: somewhere" for kind in self.kinds if kind not in named]


def rows(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], env=ENVIRONMENT, capture_output=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{program} {arguments[0]}: {done.stderr.decode('latin-1')}")
    return [Row(line) for line in done.stdout.decode("latin-1").splitlines()]


# --- Images of mke2fs

def populate(folder):
    """A tree for mke2fs -d."""
    folder.mkdir()
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "empty").touch()
    (folder / "text").write_text("hello\n" * 100)
    (folder / "a" / "large").write_bytes(bytes(range(256)) * 60)
    with open(folder / "holes", "wb") as file:
        for place in (0, 40_000, 300_000):
            file.seek(place)
            file.write(b"data")
    os.link(folder / "text", folder / "a" / "hard")
    os.symlink("text", folder / "fast")
    os.symlink("x" * 90, folder / "slow")
    os.mkfifo(folder / "a" / "fifo")
    many = folder / "many"
    many.mkdir()
    for i in range(70):
        (many / f"file-with-a-name-{i:03}").touch()
    return folder


FOREIGN = ["has_journal", "extent", "64bit", "huge_file", "extra_isize", "dir_nlink", "flex_bg,uninit_bg",
           "metadata_csum", "quota", "encrypt", "inline_data", "large_dir", "project,quota", "ea_inode", "verity",
           "stable_inodes", "bigalloc,extent", "meta_bg", "mmp", "sparse_super2", "casefold", "uninit_bg"]
TUNED = [["-c", "20"], ["-i", "3d"], ["-e", "remount-ro"], ["-e", "panic"], ["-r", "0"], ["-r", "40"], ["-m", "3"],
         ["-o", "acl,user_xattr"], ["-o", "debug"], ["-L", "another"], ["-M", "/mnt"], ["-T", "20200101000000"],
         ["-E", "stride=4"], ["-E", "stripe_width=8"], ["-E", "mount_opts=nosuid"], ["-O", "large_file"],
         ["-O", "dir_index"], ["-O", "^dir_index"], ["-O", "sparse_super"], ["-O", "^resize_inode"], ["-U", "clear"],
         ["-I", "256"], ["-u", "7"], ["-g", "7"], ["-C", "3"], ["-E", "force_fsck"]]


def draw_features(rng, blocks, block):
    features, more = ["none"], []
    for feature, likely in (("filetype", 0.8), ("sparse_super", 0.7), ("large_file", 0.5), ("dir_index", 0.3),
                            ("ext_attr", 0.5), ("resize_inode", 0.3)):
        if rng.random() < likely:
            features.append(feature)
    if rng.random() < 0.1:
        features += rng.choice(FOREIGN).split(",")
    if "resize_inode" in features:
        more = ["-E", f"resize={blocks * block // 1024 * rng.choice([2, 16, 64])}k"]
    return features, more


def draw_options(rng, folder):
    """Arguments of mke2fs, and the image's size in KiB."""
    block = rng.choice([1024] * 8 + [2048] * 3 + [4096] * 3 + [8192, 16384, 65536])
    blocks = rng.choice([300, 400, 512, 777, 1024, 2048])
    if block > 4096:
        blocks = rng.choice([64, 100, 200])
    options = ["-b", str(block), "-N", str(rng.choice([16, 64, 110, 128, 150, 200, 1000]))]
    if rng.random() < 0.2:
        options[2:] = ["-i", str(rng.choice([1024, 4096, 8192, 65536]))]
    if rng.random() < 0.15:
        options += ["-r", "0"]
        features = ["none"]
    else:
        options += ["-I", rng.choice(["128", "128", "256", "256", "512", "1024"])]
        features, more = draw_features(rng, blocks, block)
        options += more
    if rng.random() < 0.5:
        options += ["-g", str(rng.choice([256, 264, 400, 512]))]
    for likely, some in ((0.3, ["-m", str(rng.choice([0, 1, 20, 50]))]), (0.3, ["-L", "a label"]),
                         (0.1, ["-e", rng.choice(["continue", "remount-ro", "panic"])]), (0.1, ["-M", "/a/place"]),
                         (0.1, ["-E", "root_owner=1000:100"]), (0.1, ["-E", "stride=2,stripe_width=4"]),
                         (0.1, ["-E", "packed_meta_blocks=1"]), (0.1, ["-E", "test_fs"]),
                         (0.1, ["-E", "lazy_itable_init=1"]), (0.1, ["-E", "hash_seed=clear"]),
                         (0.1, ["-l", str(folder / "bad-blocks")])):
        if rng.random() < likely:
            options += some
    system = rng.choices(["linux", "hurd", "freebsd", "lites", "masix"], weights=[12, 1, 1, 1, 1])[0]
    options += ["-o", system, "-O", ",".join(features)]
    return options, blocks * block // 1024


def alter(rng, image):
    """What other tools do to an image. In words."""
    if rng.random() < 0.3:
        options = rng.choice(TUNED)
        run([tool("tune2fs"), "-f", *options, image], input=b"y\n")
        return "tune2fs " + " ".join(options)
    if rng.random() < 0.1:
        size = os.path.getsize(image) // 1024 * rng.choice([2, 3, 5]) // 2
        run([tool("resize2fs"), "-f", image, f"{size}K"])
        return f"resize2fs {size}K"
    if rng.random() < 0.3:
        run([tool("e2fsck"), "-fyD", image])
        return "e2fsck -D"
    if rng.random() < 0.2:
        commands = ["ea_set /text user.colour blue", "ea_set /a user.long " + "x" * 200, "ea_set /text user.b c"]
        run([tool("debugfs"), "-w", "-f", "-", image], input="\n".join(commands).encode() + b"\n")
        return "attributes"
    return ""


def make_bases(folder, seed, count):
    """Images of mke2fs, and what they were made with."""
    rng = random.Random(seed)
    tree = populate(folder / "tree")
    (folder / "bad-blocks").write_text("200\n201\n222\n")
    bases = {}
    for attempt in range(count * 3):
        if len(bases) == count:
            break
        image = folder / f"base-{attempt}.img"
        options, size = draw_options(rng, folder)
        if rng.random() < 0.85:
            options += ["-d", str(tree)]
        with open(image, "wb") as file:
            file.truncate(size * 1024)
        done = run([tool("mke2fs"), "-q", "-F", "-U", "12345678-1234-1234-1234-123456789abc", *options, image])
        if done.returncode == 0:
            bases[str(image)] = " ".join(options).replace(str(folder) + "/", "") + "; " + alter(rng, image)
        else:
            image.unlink()
    return bases


# --- Corruption by name

PATHS = ["/", "/a", "/a/b", "/a/b/c", "/empty", "/text", "/a/large", "/holes", "/a/hard", "/fast", "/slow",
         "/a/fifo", "/many", "/many/file-with-a-name-003", "/lost+found", "<2>", "<7>", "<11>", "<12>", "<13>"]
FIELDS = ["mode", "size", "links_count", "blocks", "flags", "dtime", "file_acl", "faddr", "block[0]", "block[1]",
          "block[IND]", "block[DIND]", "block[TIND]", "uid", "gid", "generation", "dir_acl", "mtime"]
SUPER = ["inodes_count", "blocks_count", "r_blocks_count", "free_blocks_count", "free_inodes_count",
         "first_data_block", "log_block_size", "log_frag_size", "blocks_per_group", "frags_per_group",
         "inodes_per_group", "state", "rev_level", "first_ino", "inode_size", "feature_compat",
         "feature_incompat", "feature_ro_compat", "mnt_count", "max_mnt_count", "errors", "creator_os",
         "last_orphan", "reserved_gdt_blocks", "wtime", "mtime", "lastcheck", "checkinterval"]
GROUP = ["block_bitmap", "inode_bitmap", "inode_table", "free_blocks_count", "free_inodes_count",
         "used_dirs_count"]


def draw_number(rng):
    return rng.choice([0, 1, 2, 3, 5, 7, 8, 10, 11, 12, 15, 20, 33, 64, 100, 200, 255, 256, 300, 511, 512, 1000, 1024,
                       2048, 4096, 8192, 0x41ED, 0x81A4, 0xA1FF, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])


def draw_command(rng):
    path, other = rng.choice(PATHS), rng.choice(PATHS)
    number = draw_number(rng)
    return rng.choices([
        lambda: f"sif {path} {rng.choice(FIELDS)} {number:#x}",
        lambda: f"ssv {rng.choice(SUPER)} {number}",
        lambda: f"set_bg {rng.randrange(2)} {rng.choice(GROUP)} {number}",
        lambda: f"clri {path}",
        lambda: f"freeb {rng.randrange(1, 300)} {rng.randrange(1, 4)}",
        lambda: f"setb {rng.randrange(1, 300)} {rng.randrange(1, 4)}",
        lambda: f"freei {path}",
        lambda: f"seti <{rng.randrange(1, 100)}>",
        lambda: f"ln {path} {other}/new",
        lambda: f"unlink {path}",
        lambda: f"rm {path}",
        lambda: f"kill_file {path}",
        lambda: f"rmdir {path}",
        lambda: f"mkdir {path}/made",
        lambda: f"symlink {path}/sym target",
        lambda: f"mknod {path}/node c 1 3",
        lambda: f"punch {path} {rng.randrange(20)} {rng.randrange(20, 300)}",
        lambda: f"expand_dir {path}",
        lambda: f"undel <{rng.randrange(11, 100)}> /undeleted",
    ], weights=[12, 6, 4, 3, 2, 2, 2, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1])[0]()


def corrupt(folder, bases, seed, first, count):
    """Images with one to three commands of debugfs behind them."""
    def one(index):
        rng = random.Random(f"{seed}/{index}")
        image = folder / f"named-{index}.img"
        shutil.copyfile(bases[index % len(bases)], image)
        commands = [draw_command(rng) for _ in range(rng.choice([1, 1, 1, 1, 2, 3]))]
        run([tool("debugfs"), "-w", "-f", "-", image], input="\n".join(commands).encode() + b"\n",
            timeout=SECONDS)
        if os.path.getsize(image) > os.path.getsize(bases[index % len(bases)]):  # a block far away was written
            os.truncate(image, os.path.getsize(bases[index % len(bases)]))
        return str(image), "; ".join(commands)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(pool.map(one, range(first, first + count)))


# --- Both verdicts together

class Tally:
    """What came of all images."""

    def __init__(self, keep):
        self.keep = keep
        self.images = collections.Counter()
        self.counts = collections.Counter()
        self.titles = collections.Counter()
        self.kinds = collections.Counter()  # of the checker's: in so many images
        self.needed = collections.Counter()  # and where it would be missed, if the checker did not say it

    def judge(self, what, some, delete=True):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for row, said in zip(some, pool.map(lambda row: e2fsck(row.image), some)):
                self.add(what, row, said)
                if delete:
                    os.unlink(row.image)

    def add(self, what, row, said):
        self.images[what] += 1
        self.kinds.update(row.kinds)
        kind_of_image = kind_of(row.image)
        found = compare(row.problems, said, **kind_of_image)
        if found.open:
            return self.tell(what, row, said, found.open)
        self.titles.update(found.titles)
        self.counts["sound" if found.sound else "whole" if found.whole else "in part"] += 1
        for kind in row.kinds:
            without = [line for line in row.problems if not line.startswith(kind + ":")]
            self.needed[kind] += bool(compare(without, said, **kind_of_image).open)

    def tell(self, what, row, said, reasons):
        self.counts["open"] += 1
        print(f"open: {what}, {row.image} ({row.done})\n  " + "\n  ".join(reasons[:4]) +
              f"\n  the checker: {'; '.join(row.problems[:8]) or 'sound'}"
              f"\n  e2fsck:      {'; '.join(said[:8]) or 'clean'}", flush=True)
        if self.keep:
            shutil.copy(row.image, self.keep)

    def print(self):
        total = sum(self.images.values())
        print(f"{total} images: " + ", ".join(f"{n} {what}" for what, n in self.images.items()))
        print(f"both say sound of {self.counts['sound']}; the same is wrong, word for word, with {self.counts['whole']}; "
              f"the same up to where one looks no further with {self.counts['in part']}")
        for title, number in self.titles.most_common():
            print(f"  {number:5} of them differ: {title}")
        print("kinds of problems: " + ", ".join(f"{kind} {n}" for kind, n in self.kinds.most_common()))
        stricter = {kind for kind in self.kinds if is_stricter(kind)}
        unneeded = sorted(kind for kind in self.kinds if not self.needed[kind] and kind not in stricter)
        print("nobody would notice if the checker did not know: " + (", ".join(unneeded) or "none of them"))
        print(f"open differences: {self.counts['open']}")


def batches(count, size=200):
    return [(first, min(size, count - first)) for first in range(0, count, size)]


def judge_all(tally, folder, options):
    program, seed = options.program, options.seed
    bases = make_bases(folder, seed, options.bases)
    as_they_are = rows(program, "judge", NOW, *bases)
    for row in as_they_are:
        row.done = bases[row.image]
    tally.judge("of mke2fs", as_they_are, delete=False)
    plain = [row.image for row in as_they_are if not row.kinds]
    for first, count in batches(options.images):
        tally.judge("of the maker", rows(program, "make", folder, seed, first, count, NOW))
        tally.judge("of mke2fs, lied about", rows(program, "lie", folder, seed, first, count, NOW, *plain))
        done = corrupt(folder, plain, seed, first, count)
        judged = rows(program, "judge", NOW, *done)
        for row in judged:
            row.done = done[row.image]
        tally.judge("of mke2fs, changed by debugfs", judged)
    for first, count in batches(options.runs):
        tally.judge("of the kernel", rows(program, "kernel", folder, seed, first, count, NOW))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build/gate/tests/ext2-images"))
    parser.add_argument("--images", type=int, default=2000, help="of each of the three kinds that are damaged")
    parser.add_argument("--bases", type=int, default=100, help="images of mke2fs")
    parser.add_argument("--runs", type=int, default=1500, help="of the kernel: up to three images each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for images with an open difference")
    parser.add_argument("--quick", action="store_true", help="a small fixed set")
    options = parser.parse_args()
    if options.quick:
        options.images, options.bases, options.runs = 110, 14, 60
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    tally = Tally(options.keep)
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="kiln-ext2-", dir=place) as name:
        judge_all(tally, Path(name), options)
    tally.print()
    return 1 if tally.counts["open"] else 0


if __name__ == "__main__":
    sys.exit(main())
