"""boot/acpi takes what ACPICA's tools make, and says of tables what they say."""

import re
import shutil
import subprocess
import unittest

from support import NOTHING, ROOT, EndToEnd

SOURCES = ROOT / "tests" / "data" / "acpi"

# What the reader must say of each table in tests/data/acpi, beside the line of the table itself.
SAID = {
    "madt-1": ["CPU 0x0, uid 1, enabled", "I/O APIC 1 at 0xfec00000, interrupts from 0"],
    "madt-pc": [
        "local APIC at 0xfee10000, two 8259",
        "CPU 0x0, uid 0, enabled", "CPU 0x2, uid 1, enabled", "CPU 0x6, uid 3, may come later",
        "CPU 0x1ff, uid 32, enabled",
        "I/O APIC 32 at 0xfec00000, interrupts from 0",
        "I/O APIC 33 at 0xfec01000, interrupts from 24",
        "IRQ 0 is interrupt 2, flags 0x0", "IRQ 9 is interrupt 9, flags 0xf",
        "interrupt 30 is an NMI, flags 0xd",
        "NMI at LINT1 of CPU 0xffffffff, flags 0x5", "NMI at LINT1 of CPU 0xffffffff, flags 0x5"],
    "madt-arm": [
        "CPU 0x0, uid 0, enabled", "CPU 0x100, uid 1, enabled",
        "GIC distributor at 0x2f000000, version 3",
        "GIC redistributors at 0x2f100000, 0x200000 bytes",
        "MSI frame 1 at 0x2c1c0000, 32 interrupts from 128", "ITS 3 at 0x2f020000"],
    "fadt-1": [
        "FACS at 0x7ffdf000, DSDT at 0x7ffe0000",
        "profile 1, flags 0xa5, boot flags 0x0, ARM boot flags 0x0, century 50",
        "SCI 9, SMI port 0xb2, ACPI on 0xe1, off 0x1e",
        "PM1a events: 32 bits in ports at 0x1800", "PM1a control: 16 bits in ports at 0x1804",
        "timer: 32 bits in ports at 0x1808"],
    "fadt-4": ["FACS at 0x7ffdf000, DSDT at 0x17ffe0000", "timer: 32 bits in memory at 0xfed80808",
               "reset: 8 bits in ports at 0xcf9", "reset by 0x6"],
    "fadt-5": ["sleep control: 8 bits in ports at 0x1810", "sleep status: 8 bits in ports at 0x1814"],
    "fadt-6": [
        "profile 1, flags 0x1004a5, boot flags 0x3, ARM boot flags 0x0, century 50, hardware reduced",
        "SCI 0, SMI port 0x0, ACPI on 0x0, off 0x0", "hypervisor 0x4b4c494e"],
    "mcfg": ["PCI segment 0, buses 0 to 255 at 0xe0000000",
             "PCI segment 1, buses 0 to 127 at 0x4000000000"],
    "hpet": ["event timer 0 at 0xfed00000, id 0x8086a201, at least 14318 ticks"],
    "srat-1": ["CPU 0x4 is in domain 1"],
    "srat-3": ["CPU 0x4 is in domain 513", "CPU 0x123 is in domain 7", "CPU 0x9 is in domain 7",
               "0x100000000 to 0x17fffffff is in domain 1, may come later"],
    "dmar": [
        "DMA reaches 39 bits, flags 0x5",
        "DMA remapping of segment 0 at 0xfed90000", "  scope of kind 1, id 0, from bus 0: 2.0",
        "DMA remapping of segment 0 at 0xfed91000, for the rest", "  in domain 1",
        "  scope of kind 3, id 2, from bus 240: 31.0", "  scope of kind 2, id 0, from bus 0: 28.0 0.1",
        "DMA goes on from 0x7b800000 to 0x7fffffff in segment 0"],
    "ivrs": ["IOMMU 0x2 of segment 0 at 0xfd200000, flags 0xb0, features 0x0",
             "  I/O APIC 33 is device 0xa0 of unit 0",
             "devices 0x103 to 0x103 go on from 0x7b000000 to 0x7b00ffff, flags 0x8"],
    "ssdt": [],
}


class Acpica(EndToEnd):
    def setUp(self):
        super().setUp()
        for tool in ("iasl", "acpixtract"):
            self.assertTrue(shutil.which(tool), f"{tool} is missing: install acpica-tools")

    def run_tool(self, *words, timeout=60):
        return subprocess.run(list(map(str, words)), cwd=self.folder, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)

    def fed(self, file):
        return self.expect(NOTHING, "feed", "boot/acpi", file).stdout.splitlines()


class AcpiTables(Acpica):
    def test_every_source_has_its_row(self):
        self.assertEqual({path.stem for path in SOURCES.glob("*.asl")}, set(SAID))

    def test_tables_that_iasl_compiles_are_read_as_they_were_written(self):
        for name, said in SAID.items():
            made = self.run_tool("iasl", "-p", self.folder / name, SOURCES / f"{name}.asl")
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            file = self.folder / f"{name}.aml"
            lines = self.fed(file)
            bytes_ = file.read_bytes()
            self.assertIn(f"table {bytes_[:4].decode()} of revision {bytes_[8]} at 0x7ff00000, "
                          f"{len(bytes_)} bytes", lines)
            for line in said:
                self.assertIn(line, lines, name)
                lines.remove(line)
            # The addresses in a FADT lead to no DSDT here.
            left_out = [line for line in lines if line.startswith("left out")]
            self.assertEqual(len(left_out), 1 if name.startswith("fadt") else 0, left_out)

    def test_a_changed_byte_is_noticed(self):
        self.run_tool("iasl", "-p", self.folder / "hpet", SOURCES / "hpet.asl")
        file = self.folder / "hpet.aml"
        sound = bytearray(file.read_bytes())
        sound[50] ^= 1
        file.write_bytes(sound)
        self.assertIn("left out: a table with a wrong checksum (1)", self.fed(file))


class AcpiDisassembled(Acpica):
    """iasl as a second opinion of tables that inputs make, sound ones and others."""

    def fields(self, file):
        """A table as iasl sees it: whether its checksum is right, and (name, value) in order."""
        try:
            done = self.run_tool("iasl", "-d", file, timeout=10)
        except subprocess.TimeoutExpired:  # a length that it follows for ever
            return None, []
        text = file.with_suffix(".dsl")
        if done.returncode != 0 or not text.exists():
            return None, []
        words = text.read_text(errors="replace")
        named = re.findall(r"^\[[0-9A-F]+h \d+ +\d+\] +(.*?) : ([0-9A-F]+)\b", words, re.MULTILINE)
        flags = re.findall(r"^ +(Hardware Reduced) \(V5\) : (\d)", words, re.MULTILINE)
        return "Incorrect checksum" not in words, [(n, int(v, 16)) for n, v in named + flags]

    def check_values(self, lines, pattern, fields, name, sound):
        """Each number that the reader says is one of iasl's; without oddities it says them all."""
        said = [int(value, 16) for value in re.findall(pattern, "\n".join(lines), re.MULTILINE)]
        known = [value for n, value in fields if n == name]
        self.assertLessEqual(set(said), set(known), (pattern, lines))
        if sound:
            self.assertEqual(sorted(said), sorted(known), (pattern, lines))
        return len(said)

    def check_table(self, signature, lines, fields, sound):
        if signature == "FACP":
            sci = next((v for n, v in fields if n == "SCI Interrupt"), None)
            reduced = ("Hardware Reduced", 1) in fields
            if sci is not None:
                self.assertTrue(any(line.startswith(f"SCI {0 if reduced else sci},") for line in lines))
            return 1
        pattern, name = {
            "MCFG": (r"^PCI segment .* at 0x([0-9a-f]+)$", "Base Address"),
            "DMAR": (r"^DMA remapping .* at 0x([0-9a-f]+)", "Register Base Address"),
            "HPET": (r"^event timer .* at 0x([0-9a-f]+),", "Address"),
        }[signature]
        return self.check_values(lines, pattern, fields, name, sound)

    def check_io_apics(self, lines, fields):
        """Sorted by interrupt, the first of two at one interrupt, none without an address."""
        want = {}
        for i, (name, ident) in enumerate(fields):
            if name == "I/O Apic ID":
                address, first = fields[i + 2][1], fields[i + 3][1]
                if address != 0:
                    want.setdefault(first, f"I/O APIC {ident} at 0x{address:x}, interrupts from {first}")
        said = [line for line in lines if line.startswith("I/O APIC")]
        self.assertEqual(said, [want[first] for first in sorted(want)])
        return len(said)

    def test_iasl_says_the_same(self):
        compared = {"APIC": 0, "FACP": 0, "MCFG": 0, "DMAR": 0, "HPET": 0, "wrong checksum": 0}
        for iteration in range(1, 41):
            for old in self.folder.iterdir():
                old.unlink()
            self.expect(NOTHING, "artefact", "boot/acpi", "--only", f"1:{iteration}", "-o", "dump.txt")
            lines = self.fed("dump.txt")
            self.run_tool("acpixtract", "-a", "dump.txt")
            sound = not any(line.startswith("left out") for line in lines)
            listed = [tuple(found) for line in lines
                      for found in re.findall(r"^table (....) .*, (\d+) bytes$", line)]
            for file in sorted(self.folder.glob("*.dat")):
                signature = file.read_bytes()[:4].decode(errors="replace")
                if signature not in compared:  # a program of noise is no matter of tables
                    continue
                is_right, fields = self.fields(file)
                entry = (signature, str(file.stat().st_size))
                if is_right is False:
                    compared["wrong checksum"] += 1
                    self.assertNotIn(entry, listed, (iteration, file.name))
                only_one = len([one for one in listed if one[0] == signature]) == 1
                if not is_right or entry not in listed or not only_one:
                    continue
                if signature == "APIC" and sound:
                    compared[signature] += self.check_io_apics(lines, fields)
                elif signature in compared and signature != "APIC":
                    compared[signature] += self.check_table(signature, lines, fields, sound)
        self.assertGreaterEqual(min(compared.values()), 1, compared)


if __name__ == "__main__":
    unittest.main()
