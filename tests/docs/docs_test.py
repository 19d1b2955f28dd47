#!/usr/bin/env python3
"""Tests of the tests of the documents: each page of broken/ is refused for the reason that it names."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import run_page

HERE = Path(__file__).resolve().parent


def run(script, *arguments):
    done = subprocess.run([sys.executable, HERE / script, *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


class Pages(unittest.TestCase):
    def test_each_broken_page_is_refused_for_its_reason(self):
        pages = [page for page in sorted((HERE / "broken").glob("*.md"))
                 if page.name != "long_sentence.md"]
        self.assertGreater(len(pages), 10)
        for page in pages:
            with self.subTest(page.name):
                expected = re.match(r"<!-- expect: (.*) -->", page.read_text())[1]
                status, output = run("run_page.py", page, "--bare")
                self.assertEqual(status, 1, output)
                self.assertIn(expected, output)

    def test_a_page_that_works(self):
        status, output = run("run_page.py", HERE / "works" / "blocks.md", "--bare")
        self.assertEqual(status, 0, output)
        self.assertIn("skipped: takes an hour", output)
        self.assertIn("blocks.md: 9 commands did what the page says", output)

    def test_a_need_that_is_not_met_is_listed(self):
        needs = run_page.Needs()
        needs.nvcc = None
        self.assertEqual(needs.missing("nvcc"), "no nvcc here")

    def test_the_checkout_is_never_written(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source"
            (source / "configs").mkdir(parents=True)
            page = Path(folder) / "page.md"
            page.write_text("```yaml file=configs/mine.yaml\na: 1\n```\n")
            status, output = run("run_page.py", page, "--source", source, "--build", folder,
                                 "--cmake", "true")
            self.assertEqual(status, 1, output)
            self.assertIn("file=configs/mine.yaml is in the checkout", output)
            self.assertEqual(list((source / "configs").iterdir()), [])


class Links(unittest.TestCase):
    def test_wrong_links_are_named_and_right_ones_are_not(self):
        status, output = run("check_links.py", HERE / "broken")
        self.assertEqual(status, 1, output)
        wrong = re.findall(r"^links/page\.md:\d+: (\S+): (.*)$", output, re.MULTILINE)
        self.assertEqual(wrong, [
            ("links/gone.h", "there is no such file"),
            ("missing.md", "there is no such file"),
            ("other.md#nowhere", "there is no such heading"),
            ("../../../../../etc/passwd", "leads out of the repository"),
            ("/README.md", "links of this repository are relative"),
            ("picture.svg", "there is no such file"),
            ("gone.md", "there is no such file"),
        ])
        self.assertRegex(output, r"11 links in [0-9]+ pages, 7 wrong")


class Words(unittest.TestCase):
    def test_a_long_sentence_is_named(self):
        page = HERE / "broken" / "long_sentence.md"
        status, output = run("check_words.py", page, 1000, 10)
        self.assertEqual(status, 1, output)
        self.assertIn("long_sentence.md:3: 11 words: This one goes on", output)
        self.assertEqual(run("check_words.py", page, 1000, 20)[0], 0)

    def test_too_many_bytes(self):
        status, output = run("check_words.py", HERE / "broken" / "long_sentence.md", 50, 20)
        self.assertEqual(status, 1, output)
        self.assertIn("bytes, at most 50", output)


if __name__ == "__main__":
    unittest.main()
