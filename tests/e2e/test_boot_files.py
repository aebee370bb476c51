"""Files as machines, firmware and tools make them, fed to the boot readers: taken, with the right content."""

import struct
import subprocess
import unittest

from support import INCONCLUSIVE, NOTHING, EndToEnd

LOG = """\
[    0.000000] Command line: root=/dev/vda crashkernel=0x10000000
[    0.000000] BIOS-provided physical RAM map:
[    0.000000] BIOS-e820: [mem 0x0000000000000000-0x000000000009fbff] usable
[    0.000000] BIOS-e820: [mem 0x000000000009fc00-0x000000000009ffff] reserved
[    0.000000] BIOS-e820: [mem 0x0000000000100000-0x000000007ffdbfff] usable
[    0.000000] BIOS-e820: [mem 0x000000007ffdc000-0x000000007fffffff] ACPI data
[    0.000000] BIOS-e820: [mem 0x00000000feffc000-0x00000000feffffff] type 20
"""


def microcode(signature, revision, platforms, size):
    """One update (Intel SDM volume 3A, 10.11.1): header, data, and a sum over all of 0."""
    header = [1, revision, 0x11302026, signature, 0, 1, platforms, size - 48, size, 0, 0, 0]
    words = header + [0x5A5A5A5A] * ((size - 48) // 4)
    words[4] = -sum(words) & 0xFFFFFFFF
    return struct.pack(f"<{len(words)}I", *words)


def multiboot_tag(kind, body):
    """Multiboot2 Specification 2.0, 3.6.2: type, size, and up to the next multiple of 8."""
    tag = struct.pack("<II", kind, 8 + len(body)) + body
    return tag + bytes(-len(tag) % 8)


class BootFiles(EndToEnd):
    def fed(self, target, content):
        file = self.folder / "file"
        file.write_bytes(content)
        return self.expect(NOTHING, "feed", target, file).stdout

    def test_environment_block_of_the_boot_loader(self):
        block = self.folder / "grubenv"

        def edit(*words):
            return subprocess.run(["grub-editenv", str(block), *words], check=True, capture_output=True,
                                  text=True).stdout

        edit("create")
        edit("set", "saved_entry=gnulinux-advanced>0", "next_entry=", r"kernelopts=ro a\b # 'x y'")
        edit("set", "boot_success=1", "saved_entry=memtest")
        edit("unset", "next_entry")
        fed = self.fed("boot/envblock", block.read_bytes())
        self.assertTrue(fed.startswith(edit("list")), fed)
        self.assertIn("saved_entry=memtest\n", fed)
        self.assertNotIn("next_entry", fed)
        used = len(block.read_bytes().rstrip(b"#"))
        self.assertIn(f"\n{1024 - used} bytes are free\n", fed)

    def test_memory_map_of_a_log(self):
        fed = self.fed("boot/memmap", LOG.encode())
        self.assertIn("0x0000000000000000-0x000000000009fbff usable\n"
                      "0x000000000009fc00-0x000000000009ffff reserved\n"
                      "0x0000000000100000-0x000000007ffdbfff usable\n"
                      "0x000000007ffdc000-0x000000007fffffff tables\n"
                      "0x00000000feffc000-0x00000000feffffff reserved\n", fed)
        self.assertIn(f"{(0x9FC00 + 0x7FFDC000 - 0x100000) >> 10} KiB are usable\n", fed)

    def test_memory_map_of_all_there_is(self):
        fed = self.fed("boot/memmap", b"0x0-0xffffffffffffffff usable\n")
        self.assertIn("0x0000000000000000-0xffffffffffffffff usable\n", fed)
        self.assertIn("There is no range in this text", self.fed("boot/memmap", b"nothing\n0x1000\n"))

    def test_memory_map_of_a_tape(self):
        self.expect(NOTHING, "artefact", "boot/memmap", "--only", "1:3", "-o", "map.txt")
        text = (self.folder / "map.txt").read_text()
        self.assertRegex(text, r"^0x[0-9a-f]+-0x[0-9a-f]+ \w")
        self.assertIn("KiB are usable\n", self.fed("boot/memmap", text.encode()))

    def test_a_file_too_large_for_models_says_nothing_of_the_kernel(self):
        (self.folder / "line.txt").write_bytes(b"a " * 3_000_000)
        done = self.expect(INCONCLUSIVE, "feed", "boot/cmdline", "line.txt")
        self.assertIn("'line.txt' is too large for the models of 'boot/cmdline'", done.stderr)

    def test_command_line(self):
        fed = self.fed("boot/cmdline", b'BOOT_IMAGE=/boot/vmlinuz root=UUID=1-2 ro dyndbg="file a.c +p" -- single\n')
        self.assertTrue(fed.startswith('BOOT_IMAGE=/boot/vmlinuz\nroot=UUID=1-2\nro\ndyndbg="file a.c +p"\n'
                                       "for the first program: single\n"), fed)

    def test_an_artefact_does_not_colour_the_screen(self):
        fed = self.fed("boot/cmdline", b"quiet \x1b[31mroot=/dev/vda\n")
        self.assertNotIn("\x1b", fed)
        self.assertIn("root=/dev/vda\n", fed)

    def test_microcode_file(self):
        fed = self.fed("boot/microcode", microcode(0x906EA, 0xF4, 0x22, 2048) + microcode(0x806EC, 0x9A, 0x94, 4096))
        self.assertTrue(fed.startswith("at 0: 2048 bytes, revision 0xf4, sound\n"
                                       "  for CPUs 0x000906ea, platforms 0x22\n"
                                       "at 2048: 4096 bytes, revision 0x9a, sound\n"
                                       "  for CPUs 0x000806ec, platforms 0x94\n"), fed)

    def test_multiboot_information(self):
        tags = (multiboot_tag(1, b"root=/dev/vda ro\0") + multiboot_tag(2, b"GRUB 2.06\0")
                + multiboot_tag(3, struct.pack("<II", 0x200000, 0x300000) + b"initrd.img\0")
                + multiboot_tag(6, struct.pack("<IIQQIIQQII", 24, 0, 0, 0x9FC00, 1, 0, 0x100000, 0x7EE0000, 1, 0))
                + multiboot_tag(0, b""))
        fed = self.fed("boot/multiboot2", struct.pack("<II", 8 + len(tags), 0) + tags)
        self.assertTrue(fed.startswith("command line 'root=/dev/vda ro', loader 'GRUB 2.06'\n"
                                       "module 'initrd.img'\n"
                                       "0x0000000000000000-0x000000000009fbff usable\n"
                                       "0x0000000000100000-0x0000000007fdffff usable\n"), fed)


if __name__ == "__main__":
    unittest.main()
