"""Two judges of one ext2 image, held against each other: problems that the own checker names (worlds/ext2/problem.h)
and lines that e2fsck prints.

compare() wants more than that both call an image sound or both do not: whatever one says the other must say too, in
its own words. WORDS says what e2fsck's lines mean. What only one says has a reason or is open. Reasons are STRICTER and LAXER, the titles of
docs/ext2-checker.md; and that a judge has looked no further:

- either gives up at the superblock or the groups;
- where metadata or blocks have two owners, the root is none, or a flag says that an inode's contents are of another
  kind, the two read different things (DEEP);
- what hangs together with what is in use (COUNTS) differs when the two disagree, for a reason, on what that is. And
  e2fsck's sums are those of the bitmaps as they are, so that a wrong bit makes a wrong sum right and a right one wrong.
"""

import re
from dataclasses import dataclass, field

NOISE = frozenset()
NO_END = "(e2fsck comes to no end)"
SUPERBLOCK = frozenset(
    "NoSuperblock Revision UnknownFeature RevisionFeatures BlockSize FragmentSize InodeSize FirstInode FirstBlock "
    "BlocksPerGroup InodesPerGroup ImageBlocks ImageInodes".split())
PLACES = frozenset("BlockBitmapPlace InodeBitmapPlace InodeTablePlace".split())
DOUBLE = frozenset("BlockTwice BlockInMetadata GroupOverlap".split())
# The checker ends where one of these is: behind it nothing can be said.
ENDS = SUPERBLOCK | PLACES
DEEP = DOUBLE | {"ReservedTable", "RootMissing", "RootKind", "InodeFlags"}
# What both judges see only by what they take to be in use.
COUNTS = frozenset(
    "Unattached Unreachable LinksTooFew LinksTooMany BlockMarkedFree BlockLeaked InodeMarkedFree InodeLeaked "
    "GroupFreeBlocks GroupFreeInodes GroupDirectories FreeBlocks FreeInodes InodeBlocks Parent EntryUnused EntryKind".split())
BITS = frozenset("BlockMarkedFree BlockLeaked InodeMarkedFree InodeLeaked".split())
SUMS = frozenset("GroupFreeBlocks GroupFreeInodes GroupDirectories FreeBlocks FreeInodes".split())
# e2fsck does not come to its end, or goes on with a copy of the superblock.
GIVES_UP = re.compile(
    r"aborted|Corruption found in superblock|comes to no end|while trying to open|trying backup blocks|Cannot proceed|Trying to load superblock|"
    r"unsupported feature|Filesystem revision too high|external journal")

# What the checker says and e2fsck does not insist on, and what e2fsck says and the checker does not: patterns of a
# line, and titles in docs/ext2-checker.md. LAXER's last part: only of images of revision 0.
STRICTER = [
    (r"^Backup:", "Copies of the superblock"),
    (r"^UnknownFeature:", "Features of later filesystems"),
    (r"^RevisionFeatures:", "Revision 0 has no features"),
    (r"^(OrphanList|Orphans):", "The list of orphans"),
    (r"^(State|ErrorState):", "The marks of trouble"),
    (r"^DuplicateName:", "A name twice, in two blocks"),
    (r"^ReservedLinks:", "Reserved inodes with links"),
    (r"^SizeUncounted:", "Files of 2 TiB"),
    (r"^EntryNoKind:", "File types without the feature"),
    (r"^ReservedInode:.*inode 7, block \d+ byte \d+, \d+ where 0", "Spare places of the resize inode"),
    (r"^ReservedInode:.*\(inode [348], byte 44\)", "Pointers of reserved inodes"),
]
STRICTER_OF_HURD = [(r"^(InodeBlocks|SymlinkContents|SpecialContents):.*, \d+ where \d+ is right", "The Hurd's count of sectors")]
LAXER = [
    (r"HTREE directory inode|Problem in HTREE", "Indexed directories", False),
    (r"marked uninitialized without feature|block bitmap uninitialized|unused inodes area", "Padding of descriptors", False),
    (r"ournal", "A journal without the feature", False),
    (r"desc_size", "Fields of later filesystems", False),
    (r"reserved_gdt_blocks|^is \d+; should be zero|Corrupt group descriptor|conflicts with some other",
     "Revision 0 ends at byte 84", True),
]

_ROWS = [
    # --- Nothing
    (r"^(Fix|Clear|Clear flag|Allocate|Salvage|Relocate|Delete file|Abort|Continue|Ignore error|Recreate|Create|"
     r"Truncate|Connect to /lost\+found|Clone multiply-claimed blocks|Clear HTree index|Rename to .*|Clear inode|Suppress messages|"
     r"Convert .*|Abort|Split|Optimize|Rebuild)\? no$", NOISE),
    (r"Filesystem still has errors|FILE SYSTEM WAS MODIFIED|^Illegal block number passed to", NOISE),
    (r"^(filesystem \(and not|filesystem\.  If|is corrupt, and you|The superblock could not be read)| or$", NOISE),
    (r"^    e2fsck -b |^Running additional passes|^\(There are \d+ inodes|^Could this be a zero-length", NOISE),
    (r"^  has \d+ multiply-claimed|^\t|^File .* \(inode #|^\.\.\.|^This doesn't bode well|SEVERE DATA LOSS", NOISE),
    (r"^Note: if several|^of the inode table require|^running e2fsck with the|^may lie only with|^the backup block gr",
     NOISE),
    (r"^casefold feature is not enabled|^Either the superblock or|^\(Or the filesystem superblock", NOISE),
    (r"^Relocating group|Get a newer version|Cannot proceed|aborting|e2fsck: aborted|comes to no end", NOISE),
    (r"^Duplicate entry '.*' found|^Internal error|^\(exit code|^Error (writing|reading) block", NOISE),
    (r"trying backup blocks|going back to original|Trying to load superblock|^The physical size", NOISE),
    (r"^Error while|_INODE_UNINIT is set|^ext2fs_read_inode: ", NOISE),
    # --- Superblock
    (r"[Bb]ad block inode|bad blocks inode|is not in use, but contains data", "ReservedInode ReservedLinks IllegalBlock"),
    (r"ournal|[Qq]uota|QUOTA", "UnknownFeature"),
    (r"is a revision 0 filesystem", "RevisionFeatures LargeFileFeature SizeTooLarge"),
    (r"superblock is corrupt|Bad magic|short read while|Corrupt.* superblock|first_data_block|Inode count in superblock|"
     r"[Rr]evision|filesystem size \(according|desc_size", SUPERBLOCK | {"ReservedBlocks", "ReservedTable"}),
    (r"[Uu]nsupported (feature|encoding)|orphan file", "UnknownFeature RevisionFeatures"),
    (r"reserved_gdt_blocks|[Rr]esize inode|Resize_inode", "ReservedTable ReservedInode"),
    (r"in the future", "TimeInFuture"),
    (r"orphan", "StrayOrphan OrphanList Orphans"),
    # --- Groups
    (r"marked uninitialized without feature|block bitmap uninitialized|unused inodes area", PLACES),
    (r"Corrupt group descriptor|Group descriptors look bad|not in group", PLACES | {"ReservedTable", "GroupOverlap"}),
    (r"conflicts with some other fs block|overlaps", "GroupOverlap BlockInMetadata ReservedTable"),
    # --- Inodes
    (r"[Mm]ultiply-claimed|conflicts with critical metadata", DOUBLE),
    (r"dtime", "DeletedInUse UnusedNotDeleted"),
    (r"[Rr]eserved inode", "ReservedInode ReservedLinks"),
    (r"[Rr]oot inode is not|without a root|Root inode not alloc", "RootMissing RootKind InodeMode"),
    (r"invalid mode|unknown file type", "InodeMode ReservedInode"),
    (r"looks like it is really a directory", "InodeMode SpecialContents EntryKind"),
    (r"i_blocks is|i_size is|is too big|to be too big", 
     "InodeBlocks SizeTooSmall SizeTooLarge DirectorySize DirectoryEmpty SpecialContents SymlinkContents ReservedInode "
     "IllegalBlock InodeFlags InodeFields InodeMode"),
    (r"i_blocks_hi|i_faddr|i_frag|i_fsize|i_file_acl_hi|i_dir_acl|i_size_high|should be zero", "InodeFields AttributeBlock"),
    (r"extra size", "InodeExtra"),
    (r"encrypt flag", "InodeFlags"),
    (r"bad extended attribute block|h_blocks|Error reading extended", "AttributeBlock BlockInMetadata BlockTwice"),
    (r"[Ee]xtended attribute|i_file_acl", "AttributeBlock"),
    (r"^Directory inode \d+ has an unallocated|directory hole", "DirectoryHole DirectorySize DirectoryEmpty"),
    (r"illegal block|Illegal .*block", "IllegalBlock AttributeBlock SymlinkContents ReservedInode"),
    (r"Special \(device", "SpecialContents InodeFlags"),
    (r"^Symlink ", "SymlinkContents IllegalBlock InodeBlocks InodeFlags"),
    (r"large files", "LargeFileFeature SizeTooLarge"),
    (r"HTREE|HTree|INDEX_FL", "InodeFlags Index"),
    (r"_FL |imagic|immutable|flag", "InodeFlags"),
    (r"zero-length directory", "DirectoryEmpty Dot DotDot"),
    (r"seems to contain garbage", "InodeMode InodeFields InodeFlags InodeExtra ReservedInode"),
    # --- Directories
    (r"^Directory entry for '\.' in .* is big", "Dot EntryLength"),
    (r"directory corrupted|has a bad", "EntryLength EntryName Dot DotDot"),
    (r"rec_len|zero-length name|illegal characters|too long", "EntryName EntryLength"),
    (r"has invalid inode #|[Ii]nvalid inode number", "EntryInode EntryReserved Dot DotDot"),
    (r"deleted/unused inode", "EntryUnused"),
    (r"incorrect filetype|filetype set", "EntryKind EntryNoKind EntryUnused SymlinkContents InodeFlags"),
    (r"is duplicate '\.|link to '\.'|[Mm]issing '\.|entry '.*' \(inode=|should be '\.|First entry", "Dot DotDot ExtraDot SecondParent LinkToRoot Parent"),
    (r"non-unique filename|Duplicate", "DuplicateName ExtraDot"),
    (r"link to the root", "LinkToRoot"),
    (r"is a link to directory", "SecondParent LinkToRoot"),
    # --- The tree and counts
    (r"^'\.\.' in .* should be", "Parent SecondParent LinkToRoot Unreachable DotDot Dot"),
    (r"Unconnected directory", "Unreachable"),
    (r"^Unattached", "Unattached"),
    (r"ref count", "LinksTooFew LinksTooMany Unattached"),
    (r"[Pp]adding at end", "BitmapPadding"),
    (r"Block bitmap differences", "BlockMarkedFree BlockLeaked"),
    (r"Inode bitmap differences", "InodeMarkedFree InodeLeaked"),
    (r"Free blocks count wrong for group", "GroupFreeBlocks"),
    (r"Free inodes count wrong for group", "GroupFreeInodes"),
    (r"Directories count wrong", "GroupDirectories"),
    (r"Free blocks count wrong", "FreeBlocks"),
    (r"Free inodes count wrong", "FreeInodes"),
]
WORDS = [(re.compile(pattern), frozenset(kinds.split()) if isinstance(kinds, str) else frozenset(kinds))
         for pattern, kinds in _ROWS]


def meaning(line):
    """Kinds that the line may mean; None: no row for it."""
    for pattern, kinds in WORDS:
        if pattern.search(line):
            return kinds
    return None


def is_stricter(kind):
    """Whether it is a kind of which e2fsck need say nothing, wherever it is."""
    return bool(_titles(f"{kind}: somewhere", STRICTER))


def _titles(line, rows):
    return {row[1] for row in rows if re.search(row[0], line)}


@dataclass
class Comparison:
    """What the two say of one image."""
    sound: bool = False  # both call it sound
    whole: bool = False  # all that either says has been compared
    titles: set = field(default_factory=set)  # why they differ, where they do
    open: list = field(default_factory=list)  # what has no reason


def compare(problems, said, revision=1, hurd=False):
    """`problems`: lines of the checker's, "Kind: in words (where)". `said`: e2fsck's."""
    out = Comparison(sound=not problems and not said)
    if out.sound:
        return out
    if said == [NO_END] and problems:
        out.titles.add("e2fsck comes to no end")
        return out
    meant = []
    for line in said:
        kinds = meaning(line)
        if kinds is None:
            out.open.append(f"e2fsck's words have no row: {line}")
        elif kinds:
            meant.append((line, kinds))
    laxer = [row for row in LAXER if revision == 0 or not row[2]]
    stricter = STRICTER + (STRICTER_OF_HURD if hurd else [])
    kinds = {line.split(":")[0] for line in problems}
    hard = {line.split(":")[0] for line in problems if not _titles(line, stricter)}
    gives_up = any(GIVES_UP.search(line) for line in said)
    together = any(kinds & mean for _, mean in meant)
    # Where the checker ends for a reason that e2fsck need not share, or shares.
    ends = bool(kinds & ENDS) and (together or gives_up or not hard)
    # e2fsck takes the descriptors that it sees behind the end of revision 0 for metadata.
    old = any(_titles(line, laxer) & {"Revision 0 ends at byte 84"} for line, _ in meant)
    deep = old or any(mean & kinds & DEEP for _, mean in meant)
    reasoned = any(_titles(line, laxer) for line, _ in meant)
    hurt = bool(hard - COUNTS) or reasoned
    uneven = bool(kinds & BITS)
    out.whole = not (gives_up or ends or deep)

    def is_consequence(some):
        return deep or (hurt and some <= COUNTS) or (uneven and some <= SUMS)

    for line, mean in meant:
        why = _titles(line, laxer)
        out.titles |= why
        if mean & kinds or ends or is_consequence(mean):
            continue
        if not why:
            out.open.append(f"only e2fsck says: {line}")
    for line in problems:
        kind = line.split(":")[0]
        if any(kind in mean for _, mean in meant) or is_consequence({kind}):
            continue
        why = _titles(line, stricter)
        out.titles |= why
        if not why and not (gives_up and (together or reasoned or kinds & ENDS)):
            out.open.append(f"only the checker says: {line}")
    return out
