#!/usr/bin/env python3
"""Keeps a page short: at most so many bytes, and no sentence of more than so many words.

usage: check_words.py PAGE BYTES WORDS
A sentence ends with . ? or !, and with the paragraph, the item or the cell of a table. Code in a
sentence counts as one word. Fenced blocks do not count as sentences.
Exit status: 0 short enough, 1 otherwise.
"""

import re
import sys
from pathlib import Path

import markdown


def paragraphs(text):
    """Pairs of first line and text: paragraphs, items of lists, headings, cells of tables."""
    start, lines, before = 0, [], 0
    for number, line in markdown.prose_lines(text):
        begins = re.match(r"^\s*(?:[-*+]|\d+\.|#+|\|)\s*", line)
        if lines and (begins or not line.strip() or number != before + 1):
            yield start, " ".join(lines)
            lines = []
        before = number
        if line.lstrip().startswith("|"):
            for cell in line.split("|"):
                yield number, cell
        elif line.strip():
            if not lines:
                start = number
            lines.append(line[begins.end():] if begins else line)
    if lines:
        yield start, " ".join(lines)


def sentences(paragraph):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
    return re.split(r"(?<=[.?!])[*_)\"]*\s+", text)


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__)
    page, most_bytes, most_words = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    text = page.read_text(encoding="utf-8")
    size, longest, wrong = len(text.encode()), 0, False
    for line, paragraph in paragraphs(text):
        for sentence in sentences(paragraph):
            words = [word for word in sentence.split() if re.search(r"\w|``", word)]
            longest = max(longest, len(words))
            if len(words) > most_words:
                wrong = True
                print(f"{page.name}:{line}: {len(words)} words: {sentence}")
    if size > most_bytes:
        wrong = True
        print(f"{page.name}: {size} bytes, at most {most_bytes}")
    print(f"{page.name}: {size} bytes, longest sentence {longest} words")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
