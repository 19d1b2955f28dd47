"""The parts of a Markdown file that the tests of the documents look at: fenced blocks, links, anchors.

A fenced block says in its first line what is done with it; CONVENTIONS.md has the words.
"""

import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>```+|~~~+)(?P<info>.*)$")


class PageError(Exception):
    """A page that cannot be run as it is written; the text has page and line."""


@dataclass
class Block:
    page: str
    line: int  # line of the opening fence, from 1
    language: str
    words: list = field(default_factory=list)  # words without a value: exact, words, any
    values: dict = field(default_factory=dict)  # words with a value: file, needs, exit, within
    skip: str = ""  # the reason, when the block is not run
    lines: list = field(default_factory=list)

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def _parse_info(page, number, info):
    before, mark, reason = info.partition("skip:")
    words = before.split()
    block = Block(page, number, words.pop(0) if words else "", skip=reason.strip())
    if mark and not block.skip:
        raise PageError(f"{block.place}: 'skip:' without a reason")
    for word in words:
        key, equals, value = word.partition("=")
        if equals:
            block.values[key] = value
        else:
            block.words.append(word)
    return block


def fenced_blocks(page, text):
    """All fenced blocks in their order. Raises PageError for one that is never closed."""
    blocks, block, fence = [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if block is None and match:
            block, fence = _parse_info(page, number, match["info"].strip()), match["fence"]
        elif block is not None and match and match["fence"].startswith(fence) and not match["info"].strip():
            blocks.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
    if block is not None:
        raise PageError(f"{block.place}: the block has no end")
    return blocks


def lines_outside_blocks(text):
    """Pairs of line number and line."""
    inside, fence = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if match and not inside:
            inside, fence = True, match["fence"]
        elif match and match["fence"].startswith(fence):
            inside = False
        elif not inside:
            yield number, line


def prose_lines(text):
    """Pairs of line number and line, the content of `code` left out."""
    for number, line in lines_outside_blocks(text):
        yield number, re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "``", line)


PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]+\.(?:h|cpp|cu|cuh|md|yaml|sh|py|gz)")


def paths_in_code(text):
    """Pairs of line number and path of a file: what stands alone in `code` outside of blocks."""
    for number, line in lines_outside_blocks(text):
        for code in re.findall(r"`([^`]+)`", line):
            if PATH.fullmatch(code):
                yield number, code


LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)")
HTML_LINK = re.compile(r"<(?:a|img|source)\b[^>]*\b(?:href|src|srcset)=\"([^\"]+)\"")


def links(text):
    """Pairs of line number and target, images and HTML included."""
    for number, line in prose_lines(text):
        for pattern in (LINK, DEFINITION, HTML_LINK):
            for target in pattern.findall(line):
                yield number, target


def _slug(heading):
    heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]|<[^>]*>", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(text):
    """Names that a link to this page may end in: those of headings as GitHub and Forgejo make them,
    and those that HTML gives."""
    found, seen = set(), {}
    for _, line in lines_outside_blocks(text):
        heading = re.match(r"^#{1,6}\s+(.*?)(?:\s+#+)?\s*$", line)
        if heading:
            slug = _slug(heading[1])
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            found.add(slug if count == 0 else f"{slug}-{count}")
        found.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
    return found
