"""feed of ext2 images: what the checker says, what the kernel lists, what e2fsck says."""

import os
import shutil
import subprocess

from support import NOTHING, EndToEnd


def tool(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


class Ext2FeedTest(EndToEnd):
    def image(self, *options, size="1M"):
        tree = self.folder / "tree"
        (tree / "home").mkdir(parents=True)
        (tree / "home" / "letter").write_text("dear\n" * 9000)
        os.symlink("home/letter", tree / "way")
        os.link(tree / "home" / "letter", tree / "again")
        made = self.folder / "disk.img"
        with open(made, "wb") as file:
            file.truncate(int(size[:-1]) << 20)
        subprocess.run([tool("mke2fs"), "-q", "-F", "-t", "ext2", "-d", tree, *options, made], check=True,
                       capture_output=True)
        return made

    def corrupt(self, image, *commands):
        subprocess.run([tool("debugfs"), "-w", "-f", "-", image], input="\n".join(commands) + "\n", text=True,
                       check=True, capture_output=True)

    def fed(self, image):
        return self.expect(NOTHING, "feed", "fs/ext2-damaged", image.name).stdout

    def test_a_sound_image(self):
        for options in (["-b", "1024"], ["-b", "4096", "-I", "256"], ["-b", "2048", "-r", "0"],
                        ["-b", "1024", "-g", "256", "-O", "^resize_inode"]):
            with self.subTest(options=options):
                shutil.rmtree(self.folder / "tree", ignore_errors=True)
                said = self.fed(self.image(*options))
                self.assertIn("The checker says: sound\nmounted\n", said)
                self.assertRegex(said, r"file +0644 +2 +45000  /home/letter\n")
                self.assertRegex(said, r"symlink +0777 +1 +11  /way\n")
                self.assertRegex(said, r"\ne2fsck -fn says \(exit code 0\):\n(  .*\n)+")

    def test_an_image_that_contradicts_itself(self):
        image = self.image("-b", "1024")
        self.corrupt(image, "sif /home/letter block[0] 999999", "sif /way links_count 7")
        said = self.fed(image)
        self.assertIn("IllegalBlock", said)
        self.assertIn("LinksTooMany", said)
        self.assertIn("Some of it is corrupt.\n", said)
        self.assertIn("e2fsck -fn says (exit code 4):\n", said)
        self.assertIn("illegal block", said)

    def test_what_is_no_image(self):
        image = self.folder / "disk.img"
        image.write_bytes(b"\x1b[31m" * 5000)
        said = self.fed(image)
        self.assertIn("NoSuperblock", said)
        self.assertIn("mount: ", said)
        self.assertIn("e2fsck -fn says (exit code 8):\n", said)
        self.assertNotIn("\x1b", said)

    def test_a_tape_as_an_image(self):
        self.expect(NOTHING, "artefact", "fs/ext2-damaged", "--only", "1:4", "-o", "made.img")
        self.assertIn("The checker says: ", self.fed(self.folder / "made.img"))
