"""Changes to valid inputs: of bytes, of text, of values, of keys, of structure.

Every function draws from the generator that it is given, and from nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random

import nasty

TOKEN = re.compile(r"[A-Za-z0-9_.%/^+-]+")
# A value in a text: a word behind a colon, an equals sign, a bracket, a comma or a dash.
VALUE = re.compile(
    r"(?:[:=]\s*|[\[{,]\s*|-\s+|^\s*)([A-Za-z0-9_.%/^+-]+)(?=\s*[,}\])\n]|\s*$)", re.M
)
KEY = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(?=\s*[:=])")
UNIT = re.compile(r"^[0-9][0-9.e^+-]*([A-Za-z%/]+)$")
MOST_BYTES = 1 << 16


def text_bytes(text: str) -> bytes:
    """The text as UTF-8; a lone surrogate stands for the byte that it was read from."""
    return text.encode("utf-8", "surrogateescape")


def bytes_text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def change_bytes(draw: Random, content: bytes) -> bytes:
    """The content with one to eight changes of bits, bytes and stretches of bytes."""
    data = bytearray(content)
    for _ in range(draw.choice([1, 1, 1, 2, 3, 8])):
        at = draw.randrange(len(data) + 1)
        stretch = draw.choice([1, 1, 2, 8, 64, 1000])
        match draw.randrange(8):
            case 0 if at < len(data):
                data[at] ^= 1 << draw.randrange(8)
            case 1 if at < len(data):
                data[at] = draw.randrange(256)
            case 2:
                del data[at : at + stretch]
            case 3:
                data[at:at] = draw.randbytes(min(stretch, 64))
            case 4:
                data[at:at] = data[draw.randrange(len(data) + 1) :][:stretch]
            case 5:
                del data[at:]
            case 6:
                word = draw.choice(nasty.WORDS_OF_BITS)
                data[at : at + len(word)] = word
            case _:
                data[at:at] = draw.choice(nasty.BYTES)
    return bytes(data[:MOST_BYTES])


def _new_value(draw: Random, text: str, old: str) -> str:
    """A value to put in place of another."""
    unit = UNIT.match(old)
    kinds: list[Callable[[], str]] = [
        lambda: draw.choice(nasty.NUMBERS),
        lambda: draw.choice(nasty.QUANTITIES),
        lambda: draw.choice(nasty.WORDS),
        lambda: draw.choice(TOKEN.findall(text) or ["x"]),
        lambda: nasty.yaml_quoted(draw.choice(nasty.NAMES + nasty.INJECTIONS)),
        lambda: draw.choice(nasty.NUMBERS) + draw.choice(nasty.UNITS),
    ]
    if unit:
        kinds += [lambda: draw.choice(nasty.NUMBERS) + unit[1]] * 4
    elif old[:1].isdigit():
        kinds += [lambda: draw.choice(nasty.NUMBERS)] * 3
    return draw.choice(kinds)()


def change_values(draw: Random, text: str) -> str:
    """The text with one to three values replaced."""
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        spans = [match.span(1) for match in VALUE.finditer(text)]
        if not spans or draw.random() < 0.1:
            spans = [match.span() for match in TOKEN.finditer(text)]
        if not spans:
            return text
        begin, end = draw.choice(spans)
        text = text[:begin] + _new_value(draw, text, text[begin:end]) + text[end:]
    return text


def change_key(draw: Random, text: str) -> str:
    """The text with a key misspelt, replaced by another, or removed with its colon."""
    spans = [match.span() for match in KEY.finditer(text)]
    if not spans:
        return change_values(draw, text)
    begin, end = draw.choice(spans)
    key = text[begin:end]
    other = draw.choice([key + "x", key[:-1], key.upper(), "", draw.choice(KEY.findall(text)),
                         nasty.yaml_quoted(draw.choice(nasty.NAMES))])  # fmt: skip
    return text[:begin] + other + text[end:]


def change_lines(draw: Random, text: str) -> str:
    """The text with a line deleted, doubled, moved, indented otherwise or cut."""
    lines = text.split("\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = " " * draw.randrange(9) + lines[at].strip()
        case 4:
            lines[at] = lines[at][: draw.randrange(len(lines[at]) + 1)]
        case _:
            lines[at:] = lines[at : at + 1]
    return "\n".join(lines)


def nest(draw: Random, text: str) -> str:
    """The text with one value put into many brackets."""
    spans = [match.span(1) for match in VALUE.finditer(text)]
    if not spans:
        return text
    begin, end = draw.choice(spans)
    depth = draw.choice([1, 2, 10, 100, 1000])
    left, right = draw.choice(
        [("[", "]"), ("{a: ", "}"), ('{"a":', "}"), ("[[1],", "]"), ("- ", "")]
    )
    return text[:begin] + left * depth + text[begin:end] + right * depth + text[end:]


def change_text(draw: Random, content: bytes, splice: bytes = b"") -> bytes:
    """A text changed in one of the ways above; `splice` is another seed to take a part of."""
    text = bytes_text(content)
    chance = draw.random()
    if chance < 0.60:
        return text_bytes(change_values(draw, text))
    if chance < 0.70:
        return text_bytes(change_key(draw, text))
    if chance < 0.80:
        return text_bytes(change_lines(draw, text))
    if chance < 0.83:
        return text_bytes(nest(draw, text))
    if chance < 0.88 and splice:
        cut = draw.randrange(len(content) + 1)
        return content[:cut] + splice[draw.randrange(len(splice)) :]
    return change_bytes(draw, content)


def _places(value: object) -> list[tuple[object, object]]:
    """All (container, key) of a JSON document."""
    found: list[tuple[object, object]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, item in items:
        found.append((value, key))
        if isinstance(item, (dict, list)):
            found += _places(item)
    return found


def change_json_lines(draw: Random, content: bytes) -> bytes:
    """Lines of JSON with values replaced, keys removed, renamed or added; or changed as text."""
    if draw.random() < 0.35:
        return change_text(draw, content)
    documents = [json.loads(line) for line in content.splitlines()]
    for _ in range(draw.choice([1, 1, 1, 2])):
        container, key = draw.choice(_places(draw.choice(documents)))
        chance = draw.random()
        if chance < 0.7:
            container[key] = draw.choice(nasty.JSON_VALUES + nasty.WORDS + nasty.NAMES)  # type: ignore
        elif chance < 0.85:
            del container[key]  # type: ignore[attr-defined]
        elif isinstance(container, dict):
            container[draw.choice(["x", "m", "n", "passes", "threads", "", "a" * 5000])] = (
                draw.choice(nasty.JSON_VALUES)
            )
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)
