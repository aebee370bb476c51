#!/usr/bin/env python3
"""Holds the own ext2 checker (worlds/ext2) against e2fsck.

Images come from three places: the own maker, most of them lied about; real mke2fs with many options,
lied about in the same way; and real images that debugfs corrupts by name. Each is judged by both. They
agree when both say sound or both do not. What is left is either a difference that docs/ext2-checker.md
gives a reason for (the tables below), or it is open: then this fails.

    scripts/check_ext2_checker.py --quick              # the fixed set of each push, some seconds
    scripts/check_ext2_checker.py --images 6000        # of each kind, and more seeds: nightly
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

ROOT = Path(__file__).resolve().parent.parent
NOW = 1_700_000_000  # what the clock says: for both judges
SECONDS = 20  # for one judgement: e2fsck needs minutes for some images

# Problems that the checker names and e2fsck does not insist on: titles in docs/ext2-checker.md.
STRICTER = {
    "Backup": "Copies of the superblock",
    "UnknownFeature": "Features of later filesystems",
    "RevisionFeatures": "Revision 0 has no features",
    "OrphanList": "The list of orphans",
    "Orphans": "The list of orphans",
    "State": "The marks of trouble",
    "ErrorState": "The marks of trouble",
    "DuplicateName": "A name twice, in two blocks",
    "EntryNoKind": "File types without the feature",
}

# What e2fsck says of images that the checker calls sound, and why that is right. The last part: only of
# images of revision 0.
LAXER = [
    (r"HTREE directory inode|Problem in HTREE", "Indexed directories", False),
    (r"marked uninitialized without feature set", "Padding of descriptors", False),
    (r"journal", "A journal without the feature", False),
    (r"reserved_gdt_blocks", "Revision 0 ends at byte 84", True),
]


def revision(image):
    with open(image, "rb") as file:
        file.seek(1024 + 76)
        return int.from_bytes(file.read(4), "little")


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
        return ["(e2fsck does not come to an end)"]
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


def draw_options(rng):
    """Arguments of mke2fs, and the image's size in KiB."""
    block = rng.choice([1024, 1024, 1024, 2048, 4096])
    blocks = rng.choice([300, 400, 512, 777, 1024, 2048])
    options = ["-b", str(block), "-N", str(rng.choice([110, 128, 150, 200]))]
    revision0 = rng.random() < 0.15
    features = ["none"]
    if revision0:
        options += ["-r", "0"]
    else:
        options += ["-I", rng.choice(["128", "128", "256"])]
        for feature, likely in (("filetype", 0.8), ("sparse_super", 0.7), ("large_file", 0.5),
                                ("dir_index", 0.3), ("ext_attr", 0.5), ("resize_inode", 0.3)):
            if rng.random() < likely:
                features.append(feature)
        if "resize_inode" in features:
            options += ["-E", f"resize={blocks * block // 1024 * rng.choice([2, 16, 64])}k"]
    if rng.random() < 0.5:
        options += ["-g", str(rng.choice([256, 264, 400, 512]))]
    if rng.random() < 0.3:
        options += ["-m", str(rng.choice([0, 1, 20, 50]))]
    if rng.random() < 0.3:
        options += ["-L", "a label"]
    options += ["-O", ",".join(features)]
    return options, blocks * block // 1024


def make_bases(folder, seed, count):
    """Images of mke2fs that e2fsck calls clean."""
    rng = random.Random(seed)
    tree = populate(folder / "tree")
    bases = []
    for attempt in range(count * 3):
        if len(bases) == count:
            break
        image = folder / f"base-{attempt}.img"
        options, size = draw_options(rng)
        if rng.random() < 0.85:
            options += ["-d", str(tree)]
        with open(image, "wb") as file:
            file.truncate(size * 1024)
        done = run([tool("mke2fs"), "-q", "-F", "-o", "linux", "-U",
                    "12345678-1234-1234-1234-123456789abc", *options, image])
        if "dir_index" in options[-1] + ",".join(options) and rng.random() < 0.5:
            run([tool("e2fsck"), "-fyD", image])
        if done.returncode == 0 and not e2fsck(image):
            bases.append(str(image))
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
        return str(image), "; ".join(commands)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(pool.map(one, range(first, first + count)))


# --- Both verdicts together

def reasons(row, said):
    """Why the two may differ: titles of docs/ext2-checker.md; None when nothing explains it."""
    if row.kinds and not said:
        titles = {STRICTER.get(kind) for kind in row.kinds}
        return None if None in titles else titles
    if row.kinds:
        return None
    for pattern, title, revision0 in LAXER:
        if revision0 and revision(row.image) != 0:
            continue
        if any(re.search(pattern, line) for line in said):
            return {title}
    return None


class Tally:
    def __init__(self, keep):
        self.keep = keep
        self.images = collections.Counter()
        self.sound = 0
        self.explained = collections.Counter()
        self.kinds = collections.Counter()
        self.open = 0

    def judge(self, what, some):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for row, said in zip(some, pool.map(lambda row: e2fsck(row.image), some)):
                self.add(what, row, said)
                os.unlink(row.image)

    def add(self, what, row, said):
        self.images[what] += 1
        self.kinds.update(row.kinds)
        if bool(row.kinds) == bool(said):
            self.sound += not said
            return
        why = reasons(row, said)
        if why is not None:
            self.explained.update(why)
            return
        self.open += 1
        print(f"open: {row.image} ({row.done})\n  the checker: {row.words}\n  e2fsck:      {'; '.join(said[:8]) or 'clean'}",
              flush=True)
        if self.keep:
            shutil.copy(row.image, self.keep)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build/gate/tests/ext2-images"))
    parser.add_argument("--images", type=int, default=2000, help="of each of the three kinds")
    parser.add_argument("--bases", type=int, default=60, help="images of mke2fs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for images with an open difference")
    parser.add_argument("--quick", action="store_true", help="a small fixed set")
    options = parser.parse_args()
    images, bases_wanted = (150, 12) if options.quick else (options.images, options.bases)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    tally = Tally(options.keep)
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="kiln-ext2-", dir=place) as name:
        folder = Path(name)
        batch = 200
        for first in range(0, images, batch):
            count = min(batch, images - first)
            tally.judge("made", rows(options.program, "make", folder, options.seed, first, count, NOW))
        bases = make_bases(folder, options.seed, bases_wanted)
        for row in rows(options.program, "judge", NOW, *bases):
            tally.add("mke2fs", row, [])
        for first in range(0, images, batch):
            count = min(batch, images - first)
            tally.judge("mke2fs, lied about",
                        rows(options.program, "lie", folder, options.seed, first, count, NOW, *bases))
        for first in range(0, images, batch):
            done = corrupt(folder, bases, options.seed, first, min(batch, images - first))
            judged = rows(options.program, "judge", NOW, *done)
            for row in judged:
                row.done = done[row.image]
            tally.judge("debugfs", judged)
    print(f"{sum(tally.images.values())} images: " + ", ".join(f"{n} {what}" for what, n in tally.images.items()))
    print(f"both say sound of {tally.sound}; different for a reason:")
    for title, number in tally.explained.most_common():
        print(f"  {number:5}  {title}")
    print("problems seen: " + ", ".join(f"{kind} {n}" for kind, n in tally.kinds.most_common()))
    print(f"open differences: {tally.open}")
    return 1 if tally.open else 0


if __name__ == "__main__":
    sys.exit(main())
