"""What an attack found, and which findings are the same one."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Verdicts, worst first. A report is sorted by this order.
VERDICTS = {
    "ran": "text of an input was run as a command",
    "sanitizer": "a sanitizer reported an error",
    "signal": "a signal ended the process",
    "hang": "no answer within the time limit",
    "memory": "more than 2 GiB for a small input",
    "flood": "more output than any answer has",
    "overwrote": "a file that is none of the outputs was changed",
    "lost": "an output that was there is destroyed, or one that was promised is missing",
    "torn": "an output is neither the old one whole nor a new one whole",
    "mixed": "outputs of two runs in one result",
    "broken": "exit status 0, but the output is not what it should be",
    "nonsense": "exit status 0 with times that cannot be",
    "differs": "two runs of the same command give different results",
    "status": "an exit status that the case must not have",
    "mute": "exit status other than 0 without a message",
    "control": "control characters, or bytes that are not UTF-8, reach stdout or stderr",
    "cryptic": "a message in a library's words",
    "vague": "a refusal that names no file, line or key",
    "predictable": "a temporary file whose name can be guessed",
    "left": "a temporary file is left behind",
    "slow": "an answer later than a user waits for it",
}


@dataclass(frozen=True)
class Finding:
    """One thing that should not be: a verdict of VERDICTS and one line of detail.

    Findings with equal `cause` are counted as one; without it the detail tells them apart.
    """

    verdict: str
    detail: str
    cause: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"no such verdict: {self.verdict}")

    def signature(self) -> str:
        """Equal for findings of one cause: numbers, paths and quoted text are taken out."""
        text = re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", self.cause or self.detail)
        text = re.sub(r"0x[0-9a-f]+|\d+([.]\d+)?(e[+-]?\d+)?", "N", text)
        text = re.sub(r"(/[\w.+-]+)+", "/…", text)
        return f"{self.verdict}: {text[:100]}"


@dataclass(frozen=True)
class Found:
    """A finding, with the case in which it was found."""

    kind: str
    seed: int
    index: int
    finding: Finding
    command: str  # the command line in which it was found
    folder: str = ""  # folder of the files that the case left, if they were kept

    def key(self) -> tuple[str, str]:
        return (self.kind, self.finding.signature())
