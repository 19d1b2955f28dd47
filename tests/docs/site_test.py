#!/usr/bin/env python3
"""Tests what scripts/lib/site_source.py makes of a small repository: where its links go, what of a block's
first line stays, and that every relative link of the result has a file behind it."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")

PAGES = {
    "README.md": "# Top\n\n[docs](docs/README.md) ![picture](docs/p.svg) [script](scripts/a.sh) [folder](scripts/)\n",
    "docs/README.md": "# Documents\n\n[top](../README.md#top) [one](how-to/one.md) [elsewhere](https://x.y/)\n",
    "docs/how-to/one.md": "# One\n\n```python file=a.py\n[not](a-link.md)\n```\n\n"
                          "````console exact\n```\n````\n[up](../README.md) [header](../../scripts/a.sh)\n",
    "docs/explanation/README.md": "# Explanation\n",
    "docs/results/README.md": "# Results\n",
    "docs/glossary.md": "# Glossary\n",
    "ARCHITECTURE.md": "# Architecture\n",
    "CHANGELOG.md": "# Changes\n",
    "tests/docs/broken/bad.md": "[nowhere](nowhere.md)\n",
    "docs/p.svg": "<svg/>",
    "scripts/a.sh": "echo '```'\n",
}


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.repository = Path(cls.kept.name) / "repository"
        for name, text in PAGES.items():
            path = cls.repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        subprocess.run(["git", "init", "--quiet", cls.repository], check=True)
        cls.folder = Path(cls.kept.name) / "site"
        subprocess.run([sys.executable, ROOT / "scripts/lib/site_source.py", cls.repository, cls.folder], check=True)
        cls.pages = cls.folder / "pages"

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def text(self, name):
        return (self.pages / name).read_text()

    def test_every_relative_link_has_a_file(self):
        followed = 0
        for page in self.pages.rglob("*.md"):
            outside = re.sub(r"(?ms)^(`{3,}).*?^\1$", "", page.read_text())
            for target in LINK.findall(outside):
                if not target.startswith("https:"):
                    self.assertTrue((page.parent / target.partition("#")[0]).is_file(), f"{page}: {target}")
                    followed += 1
        self.assertGreaterEqual(followed, 8)

    def test_anchors_and_other_sites_stay(self):
        self.assertIn("(../README.md#top)", self.text("docs/README.md"))
        self.assertIn("(https://x.y/)", self.text("docs/README.md"))

    def test_a_source_file_becomes_a_page_with_its_text(self):
        self.assertIn("(scripts/a.sh.md)", self.text("README.md"))
        self.assertIn("echo '```'", self.text("scripts/a.sh.md"))

    def test_a_folder_without_readme_becomes_a_list(self):
        self.assertIn("- scripts/a.sh", self.text("scripts/index.md"))

    def test_blocks_keep_their_language_alone_and_their_text(self):
        text = self.text("docs/how-to/one.md")
        self.assertIn("\n```python\n[not](a-link.md)\n```\n", text)
        self.assertIn("\n````console\n```\n````\n", text)

    def test_pages_made_to_be_wrong_are_left_out(self):
        self.assertFalse((self.pages / "tests").exists())

    def test_the_menu_names_pages_that_exist(self):
        text = (self.folder / "mkdocs.yml").read_text()
        menu = json.loads("[" + text[text.index('"nav": [') + len('"nav": ['):].rstrip().rstrip("}"))
        named = re.findall(r"[\w/-]+\.md", json.dumps(menu))
        self.assertIn("docs/how-to/one.md", named)
        for name in named:
            self.assertTrue((self.pages / name).is_file(), name)


if __name__ == "__main__":
    unittest.main()
