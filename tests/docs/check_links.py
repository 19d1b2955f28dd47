#!/usr/bin/env python3
"""Every relative link of every Markdown file below a folder leads to a file, and its anchor to a heading.
Every `path/of/a_file.h` in code is the end of a path that exists; pages of docs/results/ may name
files that are gone.

usage: check_links.py FOLDER
Links with a scheme (https:) are not followed. Folders named build*, out, .git are left out, and so
are files with broken links that test this very check (tests/docs/broken).
Exit status: 0 all lead somewhere, 1 otherwise, with a line for each that does not.
"""

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import markdown

LEFT_OUT = re.compile(r"^(build.*|out|\.git|\.carry|__pycache__)$")


def pages_below(folder):
    """Its Markdown files, in order of their paths."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not LEFT_OUT.match(name))
        if Path(parent) == folder / "tests" / "docs":
            folders.remove("broken")
        for name in sorted(files):
            if name.endswith(".md"):
                yield Path(parent) / name


class AnchorsOf:
    """The anchors of a page, read once."""

    def __init__(self):
        self._known = {}

    def __call__(self, page):
        if page not in self._known:
            self._known[page] = markdown.anchors(page.read_text(encoding="utf-8"))
        return self._known[page]


def problem_with(folder, page, target, anchors_of):
    """What is wrong with a link, or "" when it leads somewhere."""
    if re.match(r"^[a-z][a-z0-9+.-]*:", target):
        return ""
    path, _, anchor = unquote(target).partition("#")
    if path.startswith("/"):
        return "links of this repository are relative"
    destination = (page.parent / path).resolve() if path else page.resolve()
    if not destination.is_relative_to(folder.resolve()):
        return "leads out of the repository"
    if not destination.exists():
        return "there is no such file"
    if anchor and destination.suffix == ".md" and anchor not in anchors_of(destination):
        return "there is no such heading"
    return ""


def unknown_paths(text, known):
    """Pairs of line number and path: those in code that no known path ends in."""
    for number, path in markdown.paths_in_code(text):
        if not any(entry.endswith("/" + path) for entry in known.get(path.rpartition("/")[2], ())):
            yield number, path


def files_below(folder):
    """Paths of all files, by their names, each with a slash before it."""
    known = {}
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not LEFT_OUT.match(name)]
        for name in files:
            known.setdefault(name, []).append("/" + (Path(parent) / name).relative_to(folder).as_posix())
    return known


def main(arguments):
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.exit(__doc__)
    folder, anchors_of = Path(arguments[0]), AnchorsOf()
    known = files_below(folder)
    pages = count = wrong = 0
    for page in pages_below(folder):
        pages += 1
        text = page.read_text(encoding="utf-8")
        if "results" not in page.parts:
            for line, path in unknown_paths(text, known):
                wrong += 1
                print(f"{page.relative_to(folder)}:{line}: {path}: there is no such file")
        for line, target in markdown.links(text):
            count += 1
            problem = problem_with(folder, page, target, anchors_of)
            if problem:
                wrong += 1
                print(f"{page.relative_to(folder)}:{line}: {target}: {problem}")
    print(f"{count} links in {pages} pages, {wrong} wrong")
    sys.exit(1 if wrong or not pages else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
