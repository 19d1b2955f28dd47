"""Compares the output that a page shows with the output that a command gave."""

import re

NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*")


def _same(line):
    return line.rstrip()


def _any_number(line):
    """The line with every number replaced, and blanks and rules of any length as one."""
    return re.sub(r"\s+", " ", re.sub(r"([-#=─])\1+", r"\1", NUMBER.sub("0", line))).strip()


def _first_word(line):
    """Its letters alone (`sortBits=9,…` is sortBits), a power of two as it is, any other number as one."""
    word = line.split()[0] if line.split() else ""
    letters = re.match(r"[A-Za-z_]+", word)
    if re.fullmatch(r"2\^\d+", word):
        return word
    return letters[0] if letters else _any_number(word)


READINGS = {"exact": _same, "similar": _any_number, "words": _first_word, "any": None}


def _without_blank_end(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _runs_of_lines(shown):
    """What stands between lines of three dots."""
    runs = [[]]
    for line in shown:
        if line.strip() == "...":
            runs.append([])
        else:
            runs[-1].append(line)
    return runs


def _missing_of_run(run, given, starts, read):
    """Where the run ends that begins at one of `starts`, or the line that is missing there.

    Of several places where it breaks off, the one that got furthest counts."""
    furthest = 0
    for start in starts:
        same = 0
        while same < len(run) and start + same < len(given) and \
                read(run[same]) == read(given[start + same]):
            same += 1
        if same == len(run):
            return start + same, None
        furthest = max(furthest, same)
    return None, run[furthest]


def _first_missing_word(shown, given, read):
    at = 0
    for line in shown:
        while at < len(given) and read(given[at]) != read(line):
            at += 1
        if at == len(given):
            return line
        at += 1
    return None


def first_missing(shown, given, mode):
    """The first line of `shown` that `given` lacks at its place, or None when nothing is missing.

    exact, similar   lines follow one another; a line of three dots stands for any number of lines
    words            lines of `given` between them do not matter, and only first words are compared
    any              nothing is compared
    """
    read = READINGS[mode]
    if mode == "any":
        return None
    if mode == "words":
        return _first_missing_word([line for line in shown if line.strip() not in ("", "...")],
                                   given, read)
    given = _without_blank_end(given)
    runs = _runs_of_lines(_without_blank_end(shown))
    at = 0
    for number, run in enumerate(runs):
        is_last = number == len(runs) - 1
        if is_last and number > 0 and run:  # ends where the output ends
            starts = [len(given) - len(run)] if len(given) - len(run) >= at else []
        else:
            starts = [at] if number == 0 else range(at, len(given) + 1)
        end, missing = _missing_of_run(run, given, starts, read)
        if missing is not None:
            return missing
        at = end
    if (runs[-1] or len(runs) == 1) and at < len(given):
        return f"(the end; more was given: {given[at]!r})"
    return None
