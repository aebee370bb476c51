"""Every rule of the machine has a canary that must fail. Here all of them go the whole way of a
finding: found, confirmed, shrunk, saved, and replayed under other circumstances."""

import json
import os
import re
import unittest

from support import FINDING, HANG, NOTHING, EndToEnd

MOST_INPUTS = 1000
MOST_CHOICES = 16
# Judged by the gate as a whole: there is no one input to shrink and to replay.
OF_THE_GATE = {"probe-missed"}


class Canaries(EndToEnd):
    def setUp(self):
        super().setUp()
        self.expect(NOTHING, "list", "canary/*", "--json", "list.json")
        self.rules = {t["name"]: t["must_break"] for t in json.loads((self.folder / "list.json").read_text())}
        # All of its time is what a hang costs; on a busy host others need more than a second.
        self.patience = {name: ("--timeout", "1") if rule == "hang" else () for name, rule in self.rules.items()}
        others = [name for name, rule in self.rules.items() if rule != "hang"]
        targets = self.summary(*others, code=FINDING, timeout=800)["targets"]
        targets += self.summary("canary/hang", "--timeout", "1", code=HANG)["targets"]
        self.found = {t["name"]: t["findings"] for t in targets}

    def tapes_of(self, name):
        return [self.folder / file for file in self.found[name][0]["files"] if file.endswith(".hex")]

    def replayed(self, name, code, folder=None, **options):
        """What a replay prints; of a finding that several inputs make together, what `join` does."""
        tapes = self.tapes_of(name)
        words = ("replay", name, tapes[0]) if len(tapes) == 1 else ("join", *(word for tape in tapes for word in (name, tape)))
        return self.expect(code, *words, *self.patience[name], cwd=folder or self.folder, **options).stdout

    def test_from_discovery_to_replay(self):
        self.assertEqual(set(self.found), set(self.rules))
        self.assertGreater(len(self.rules), 40)
        elsewhere = self.folder / "some" / "where else"
        elsewhere.mkdir(parents=True)
        noisy = {**os.environ, "LC_ALL": "C", "TZ": "Asia/Tokyo", "NOISE": "x" * 3000}
        for name, rule in self.rules.items():
            with self.subTest(name):
                self.assertEqual([f["rule"] for f in self.found[name]], [rule])
                finding = self.found[name][0]
                self.assertLess(finding["iteration"], MOST_INPUTS)
                if rule in OF_THE_GATE:
                    continue
                self.assertGreater(finding["attempts"], 0)
                self.assertEqual(finding["reproduced"], finding["attempts"])
                decoded = [self.expect(NOTHING, "decode", name, tape).stdout for tape in self.tapes_of(name)]
                choices = [int(re.search(r"(\d+) choices?", text)[1]) for text in decoded]
                code = HANG if rule == "hang" else FINDING
                if code == FINDING:
                    self.assertLessEqual(max(choices), MOST_CHOICES, decoded)
                first = self.replayed(name, code)
                self.assertIn(f"FINDING {rule}:", first)
                self.assertEqual(self.replayed(name, code, folder=elsewhere), first)
                if code == FINDING:
                    self.assertEqual(self.replayed(name, code, env=noisy), first)


if __name__ == "__main__":
    unittest.main()
