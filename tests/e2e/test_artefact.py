"""artefact: a tape as a file that feed takes; and both say the same."""

import re
import unittest

from support import NOTHING, EndToEnd


def digest(text):
    return re.search(r"digest ([0-9a-f]{16})", text)[1]


class Artefact(EndToEnd):
    def test_what_feed_says_of_it_is_what_the_run_says(self):
        for iteration in range(1, 12):
            only = ("boot/fdt", "--only", f"1:{iteration}")
            made = self.expect(NOTHING, "artefact", *only, "-o", "board.dtb").stdout
            self.assertIn(f"board.dtb: {(self.folder / 'board.dtb').stat().st_size} bytes", made)
            fed = self.expect(NOTHING, "feed", "boot/fdt", "board.dtb").stdout
            ran = self.expect(NOTHING, *only).stdout
            self.assertEqual(digest(fed), digest(ran))

    def test_of_a_tape_file(self):
        (self.folder / "empty.hex").write_text("")
        self.expect(NOTHING, "artefact", "boot/fdt", "empty.hex", "-o", "deep/board.dtb")
        fed = self.expect(NOTHING, "feed", "boot/fdt", "deep/board.dtb").stdout
        self.assertIn("a second reader and libfdt read the same", fed)
        self.assertEqual((self.folder / "deep" / "board.dtb").read_bytes()[:4], b"\xd0\x0d\xfe\xed")

    def test_no_input_is_written_over(self):
        tape = self.folder / "tape.hex"
        tape.write_text("00\n")
        self.expect(NOTHING, "artefact", "boot/fdt", tape, "-o", "board.dtb")
        self.refused("artefact", "boot/fdt", tape, "-o", "./tape.hex", says="is an input")
        self.refused("replay", "boot/fdt", tape, "--perfetto", tape, says="is an input")
        self.refused("feed", "boot/fdt", "board.dtb", "--perfetto", "board.dtb", says="is an input")
        self.refused("feed", "boot/fdt", "board.dtb", "board.dtb", "--perfetto", "x", says="one artefact at a time")
        self.refused("feed", "boot/fdt", "board.dtb", "--perfetto", self.folder, says=str(self.folder))
        self.assertEqual(tape.read_text(), "00\n")

    def test_bad_input(self):
        (self.folder / "empty.hex").write_text("")
        self.refused("artefact", "boot/fdt", "empty.hex", says="-o FILE")
        self.refused("artefact", "boot/fdt", "-o", "x", says="Which input?")
        self.refused("artefact", "lib/bytes", "empty.hex", "-o", "x", says="'boot/fdt'")
        self.refused("artefact", "boot/fdt", "empty.hex", "-o", self.folder, says=str(self.folder))
        self.refused("replay", "boot/fdt", "empty.hex", "-o", "x", says="does not go with")
        self.refused("artefact", "boot/fdt", "empty.hex", "-o", says="-o needs a value")


if __name__ == "__main__":
    unittest.main()
