"""new-target: what it writes compiles, runs and finds."""

import re
import shutil
import subprocess
import unittest

from support import FINDING, NOTHING, ROOT, EndToEnd, build_commands, run_build_command

EXAMPLE = "targets/example/mailbox.cpp"


class NewTarget(EndToEnd):
    """In a tree that has nothing but what new-target looks at."""

    def setUp(self):
        super().setUp()
        (self.folder / "targets" / "example").mkdir(parents=True)
        (self.folder / "CMakePresets.json").write_text("{}")
        shutil.copy(ROOT / "targets" / "example" / "table.cpp", self.folder / "targets" / "example")

    def made(self, name, *options):
        self.expect(NOTHING, "new-target", name, *options)
        return self.folder / "targets" / f"{name}.cpp"

    def program_with(self, source):
        """The program with one more target, made as the build makes it."""
        commands = build_commands("kiln")
        compiled = self.folder / "kiln_targets.dir" / "more.o"  # by its name in the reset region
        program = self.folder / "kiln-with-more"
        compiling = next(line for line in commands if f"/{EXAMPLE} " in line + " " and " -c " in line)
        written = re.search(r" -o (\S+)", compiling)[1]
        run_build_command(compiling.replace(written, str(compiled)).replace(str(ROOT / EXAMPLE), str(source))
                          + f" -Werror -ffile-prefix-map={self.folder}/=")
        run_build_command(commands[-1].replace(" -o kiln ", f" -o {program} {compiled} "))
        return program

    def is_formatted(self, source):
        formatted = subprocess.run(["clang-format-19", f"-style=file:{ROOT}/.clang-format", source],
                                   capture_output=True, text=True, check=True).stdout
        self.assertEqual(formatted, source.read_text())

    def test_names(self):
        self.refused("new-target", "Net/Dhcp", says="small letters")
        self.refused("new-target", "dhcp", says="AREA/NAME")
        self.refused("new-target", "lib/format", says="already")
        self.refused("new-target", "../x", says="small letters")
        self.refused("new-target", "a/" + "x" * 300, says="too long")
        self.refused("list", "--parser", says="does not go with 'list'")
        (self.folder / "targets" / "example" / "table.cpp").unlink()
        self.refused("new-target", "--parser", "net/frame", says="table.cpp")

    def test_a_target(self):
        source = self.made("demo/first")
        self.refused("new-target", "demo/first", says="already")
        self.assertIn('"demo/first"', source.read_text())
        self.is_formatted(source)
        program = self.program_with(source)
        self.expect(NOTHING, "demo/first", "--iterations", "500", program=program)

    def test_a_parser(self):
        source = self.made("net/frame", "--parser")
        self.assertNotIn("example of docs", source.read_text())
        self.is_formatted(source)
        program = self.program_with(source)
        self.expect(NOTHING, "net/frame", program=program)
        (self.folder / "plain.hex").write_text("")
        self.expect(NOTHING, "artefact", "net/frame", "plain.hex", "-o", "frame.bin", program=program)
        fed = self.expect(NOTHING, "feed", "net/frame", "frame.bin", program=program)
        self.assertIn("taken: ", fed.stdout)

    def test_a_parser_with_a_check_too_few(self):
        source = self.made("net/frame", "--parser")
        text = source.read_text()
        missing = " || length < kHeaderBytes"
        self.assertIn(missing, text)
        source.write_text(text.replace(missing, ""))
        found = self.expect(FINDING, "net/frame", program=self.program_with(source))
        self.assertIn("FINDING undefined", found.stdout)
        self.assertIn("targets/net/frame.cpp", found.stdout)


if __name__ == "__main__":
    unittest.main()
