"""The verdict on a process that has ended: what it must not do, whatever it was given."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass

from findings import Finding
from process import SHOWN_BYTES, Outcome

MOST_BYTES = 2 << 30  # most memory of a process that reads a small input
SANITIZER_STATUS = 99
LOADER_STATUS = 127  # the dynamic loader could not start the program

# Words from libraries that an error message must not show to a user of the command.
CRYPTIC = re.compile(
    r"std::|bad_alloc|basic_string|basic_ios|vector::|_M_|\bsto(i|l|ul|ll|ull|d)\b|what\(\)"
    r"|terminate called|json\.exception|yaml-cpp|YAML::|nlohmann|boost::|program_options"
    r"|filesystem error|cannot write to file|iostream|map::at|bad (optional|variant|cast)"
    r"|invalid conversion|invalid argument to|regex_error|Assertion"
)

SANITIZER = re.compile(r"runtime error: .*|(?:Address|Leak|Thread|Memory)Sanitizer: [^\n]*")

# Characters that no message may contain: escapes and other controls, marks that change text
# direction, broken UTF-8.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udcff]")

# Place of an error, as a refusal's message must name it: a line, a key, or an offset in data
# without either. Compressed data need no place.
PLACE = re.compile(
    r":\d+(:\d+)?:|\bbyte \d+|\bindex \d+|\boffset \d+|\blabel \d+"
    r"|[\w.\]]+: (found|the file has)\b|compressed data"
)

# Keys of JSON results that are times, ns, predicted or measured.
TIME = re.compile(r"(^|_)ns(_|$)")
MAY_BE_NULL = re.compile(
    r"crossover|sibling|right_decision|factor|quiet_cores|kept|runner_up|presorted|direct"
)
MAY_BE_NEGATIVE = re.compile(r"row_hit|stack|error|bias|gap|difference|gain|saved")
LONGEST_NS = 1e9  # a second for each input
SHORTEST_NS = 1e-5


@dataclass(frozen=True)
class Expected:
    """What one case allows or requires, beyond the rules for all cases."""

    codes: frozenset[int] = frozenset({0, 2, 3})
    json: bool = False  # exit status 0 comes with one JSON document on stdout
    names: tuple[str, ...] = ()  # a refusal names one of these (files, options)
    place: bool = False  # a refusal also names a line, byte or index
    silent: bool = False  # stderr cannot be written, so there may be no message
    most_bytes: int = MOST_BYTES


def _end(outcome: Outcome, expected: Expected) -> Finding | None:
    """What is wrong with how the process ended."""
    message = outcome.message()
    if report := SANITIZER.search(message):
        return Finding("sanitizer", report[0][:300])
    if outcome.timed_out:
        return Finding("hang", f"{outcome.seconds:.0f} s and no end; {_last(message)}")
    if outcome.status < 0:
        name = signal.Signals(-outcome.status).name
        return Finding("flood" if name == "SIGXFSZ" else "signal", f"{name}; {_last(message)}")
    if outcome.peak_bytes > expected.most_bytes:
        return Finding("memory", f"{outcome.peak_bytes >> 20} MiB; {_last(message)}")
    if outcome.status not in expected.codes:
        return Finding("status", f"exit status {outcome.status}; {_last(message)}")
    return None


def _last(message: str) -> str:
    """The end of a message, in one line."""
    return repr(message[-200:])


def _subcommand(outcome: Outcome) -> str:
    """The word behind the command's own, if it is one that could be a subcommand."""
    word = outcome.words[1] if len(outcome.words) > 1 else ""
    return word if word.isalpha() else "presort"


def _refusal(outcome: Outcome, expected: Expected) -> Finding | None:
    """What is wrong with the words of a process that refused its input."""
    message = outcome.message()
    if not message:
        return None if expected.silent else Finding("mute", f"exit status {outcome.status}")
    if expected.names and not any(name in message for name in expected.names):
        return Finding("vague", f"none of {', '.join(expected.names[:3])} is in {_last(message)}")
    if expected.place and not PLACE.search(message):
        return Finding("vague", f"no line, byte or index in {_last(message)}")
    return None


def _text(outcome: Outcome) -> Finding | None:
    """What is wrong with the bytes of stdout and stderr."""
    for name, stream in (("stdout", outcome.stdout), ("stderr", outcome.stderr)):
        text = stream.decode("utf-8", "surrogateescape")
        if len(stream) == SHOWN_BYTES:  # the last character may have been cut
            text = text[:-4]
        if bad := CONTROL.search(text):
            around = text[max(0, bad.start() - 30) : bad.end() + 30]
            kind = "bytes that are no UTF-8" if bad[0] >= "\udc80" else "a control character"
            detail = f"{ascii(bad[0])} on {name} in {ascii(around)}"
            return Finding("control", detail, f"{kind} on {name} of {_subcommand(outcome)}")
    if words := CRYPTIC.search(outcome.message()):
        detail = f"{words[0]} in {_last(outcome.message())}"
        return Finding("cryptic", detail, f"{words[0]} from {_subcommand(outcome)}")
    return None


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _times(document: object, path: str = "") -> Iterator[tuple[str, object]]:
    """The numbers, and what stands in the place of one, whose key says that they are times."""
    items: Iterator[tuple[object, object]]
    if isinstance(document, dict):
        items = iter(document.items())
    elif isinstance(document, list):
        items = iter(enumerate(document))
    else:
        return
    for key, value in items:
        where = f"{path}.{key}" if isinstance(document, dict) else f"{path}[]"
        if isinstance(value, (dict, list)):
            yield from _times(value, where)
        elif TIME.search(re.sub(r"\[]|[.]", "_", where)):
            yield where, value


def nonsense(document: object) -> str:
    """The first time of a JSON document that cannot be, or ""."""
    for path, value in _times(document):
        if value is None:
            if not MAY_BE_NULL.search(path):
                return f"{path} is null"
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            if value < 0 and not MAY_BE_NEGATIVE.search(path):
                return f"{path} is {value:g}"
            predicted = "predicted_ns" in path
            if abs(value) > LONGEST_NS * (1 if predicted else 1e3):
                return f"{path} is {value:g}"
            if predicted and value < SHORTEST_NS:
                return f"{path} is {value:g}"
    return ""


def _json(outcome: Outcome) -> Finding | None:
    """What is wrong with a JSON document on stdout."""
    if len(outcome.stdout) == SHOWN_BYTES:
        return None
    try:
        document = json.loads(outcome.stdout, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        return Finding("broken", f"stdout is no JSON document: {error}")
    bad = nonsense(document)
    return Finding("nonsense", bad) if bad else None


def judge(outcome: Outcome, expected: Expected) -> list[Finding]:
    """All that is wrong with a process; nothing when it did what it should."""
    found = [_end(outcome, expected)]
    if found == [None]:
        found.append(_text(outcome))
        if outcome.status != 0:
            found.append(_refusal(outcome, expected))
        elif expected.json:
            found.append(_json(outcome))
    return [finding for finding in found if finding is not None]
