"""Small inputs that grow: compressed a thousandfold, nested without end, files without end."""

from __future__ import annotations

import functools
import gzip
import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import containers
from attack import Attack
from corpus import MACHINE, npy_header
from findings import Finding
from judge import Expected, judge
from world import Site, World

SMALL = ["-n", "2^10", "-b", "2^8"]
DEEP = 100_000
GROWN_BYTES = 6 << 30
PIECE_BYTES = 16 << 20

# Arguments of a command that reads a file, by the file's kind.
READERS: dict[str, list[str]] = {
    "machine": ["machines", "-m", "{}"],
    "machine-simulate": ["simulate", "-m", "{}", *SMALL, "-q"],
    "grid": ["tune", "-m", MACHINE, *SMALL, "--plans", "{}", "--model-only", "-q"],
    "tuned": ["run", *SMALL, "--tuned", "{}", "--force", "--reps", "1", "-q"],
    "validate-grid": ["validate", "-m", MACHINE, "--model", "--grid", "{}", "-o", "out", "-q"],
    "replay": ["validate", "-m", MACHINE, "--model", "--replay", "{}", "-o", "out", "-q"],
    "report": ["report", "{}", "-o", "page.html"],
    "loops": ["validate", "--loops", "-m", MACHINE, "--replay", "{}", "-o", "out", "-q"],
    "matrix": ["fit", "-m", MACHINE, "--matrix", "{}", "--cells", "none", "-q"],
    "labels": ["run", *SMALL, "--dist", "file:{}", "--reps", "1", "-q"],
    "tune-labels": ["tune", "-m", MACHINE, "--labels", "{}", "--model-only", "-q"],
    "trace": ["simulate", "-m", MACHINE, "--trace", "{}", "--functional", "-q"],
    "compare-probes": ["probe", "--compare", "{}", "--compare", "{}"],
}


@functools.lru_cache(maxsize=8)
def grown(ending: str, piece: bytes) -> bytes:
    """A few MB that a decompressor makes GROWN_BYTES of, of one piece again and again."""
    packed = containers.PACK[ending](piece * (PIECE_BYTES // len(piece)))
    return packed * (GROWN_BYTES // PIECE_BYTES)


def _sparse(site: Site, name: str, length: int) -> None:
    with open(site.folder / name, "wb") as file:
        os.truncate(file.fileno(), length)


Maker = Callable[[Site], str]  # makes the file, gives its name


def _text(name: str, content: Callable[[], bytes]) -> Maker:
    def make(site: Site) -> str:
        site.write(name, content())
        return name

    return make


def _large(name: str) -> Maker:
    def make(site: Site) -> str:
        _sparse(site, name, 8 << 30)
        return name

    return make


def _device(path: str) -> Maker:
    return lambda site: path


def _linked(path: str, name: str) -> Maker:
    def make(site: Site) -> str:
        (site.folder / name).symlink_to(path)
        return name

    return make


@dataclass(frozen=True)
class Bomb:
    """What a command is given to read."""

    reader: str
    what: str
    make: Maker


YAML = ["machine", "machine-simulate", "grid", "tuned", "validate-grid", "compare-probes"]
LINES = ["replay", "report", "loops"]
LABELS = ["labels", "tune-labels"]
TEXTS = [*YAML, *LINES, *LABELS, "matrix", "trace"]
HEADS = [b"presort: machine/1\n", b"presort: planGrid/1\n", b"presort: tuned/1\n"]
DEVICES = ["/dev/zero", "/dev/urandom", "/dev/null", "/proc/self/mem"]
ENDINGS = [".txt", ".yaml", ".jsonl", ".npy", ".u32", ".u64", ".csv", ".gz"]


def _endless(reader: str) -> Iterator[Bomb]:
    """Files without an end, or of so many bytes that they might as well have none."""
    for device in DEVICES:
        yield Bomb(reader, device, _device(device))
    for ending in ENDINGS:
        yield Bomb(reader, f"endless{ending}", _linked("/dev/zero", f"endless{ending}"))
    yield Bomb(reader, "8 GiB of holes", _large("large.yaml"))
    yield Bomb(reader, "one line of 100 MB", _text("line.txt", lambda: b"1" * 100_000_000))


def _laugh() -> bytes:
    """Lists of lists by aliases: 2^24 items, were they followed."""
    names = [b"%c" % letter for letter in range(97, 121)]
    lines = [b"%b: &%b [*%b,*%b]\n" % (b, b, a, a) for a, b in itertools.pairwise(names)]
    return b"a: &a [x,x]\n" + b"".join(lines)


YAML_BODIES: dict[str, Callable[[], bytes]] = {
    f"{DEEP} nested [": lambda: b"cpu: " + b"[" * DEEP,
    f"{DEEP} nested {{": lambda: b"cpu: " + b"{a: " * DEEP,
    f"{DEEP} nested -": lambda: b"cpu:\n  " + b"- " * DEEP,
    "200,000 keys": lambda: b"".join(b"k%d: 1\n" % i for i in range(200_000)),
    "aliases of aliases": _laugh,
}


def _document(head: bytes, what: str) -> bytes:
    return head + YAML_BODIES[what]()


def _yaml(reader: str) -> Iterator[Bomb]:
    """Deep, wide and self-referring documents."""
    for head in HEADS:
        for what in YAML_BODIES:
            yield Bomb(reader, what, _text("d.yaml", functools.partial(_document, head, what)))


def _json(reader: str) -> Iterator[Bomb]:
    """Deep lines, plain and in gzip."""
    for opening, closing in ((b"[", b""), (b'{"a":', b""), (b"[", b"]")):
        line = opening * DEEP + closing * DEEP + b"\n"
        what = f"{DEEP} nested {(opening + closing).decode()}"
        yield Bomb(reader, what, _text("d.jsonl", functools.partial(bytes, line)))
        yield Bomb(
            reader, f"{what} in gzip", _text("d.jsonl.gz", functools.partial(gzip.compress, line))
        )


def _growing(reader: str) -> Iterator[Bomb]:
    """A few MB of compressed data that become gigabytes."""
    for piece in (b"\n", b"a", b"\0", b"# a comment\n"):
        for ending in filter(containers.available, ("gz", "xz", "zst")):
            what = f"6 GiB of {piece!r} in {ending}"
            make = _text(f"b.jsonl.{ending}", functools.partial(grown, ending, piece))
            yield Bomb(reader, what, make)
    make = _text("e.jsonl.gz", lambda: gzip.compress(b"") * 1_000_000)
    yield Bomb(reader, "a million empty gzip members", make)


def _arrays(reader: str) -> Iterator[Bomb]:
    """NumPy's format with more labels than there are."""
    for count in (1 << 40, 1 << 62, 1 << 64, -1):
        array = npy_header("<u4", count) + b"\0" * 64
        yield Bomb(reader, f"array of {count}", _text("h.npy", functools.partial(bytes, array)))


def bombs() -> Iterator[Bomb]:
    """All bombs, of all kinds."""
    for readers, make in (
        (TEXTS, _endless),
        (YAML, _yaml),
        (LINES, _json),
        ([*LINES, "trace", "matrix"], _growing),
        (LABELS, _arrays),
    ):
        for reader in readers:
            yield from make(reader)


class BombAttack(Attack):
    """One bomb, read by one command."""

    name = "bombs"
    about = "small inputs that grow, endless files, deep nesting"

    def __init__(self) -> None:
        self._bombs = list(bombs())

    def size(self, world: World) -> int:
        return len(self._bombs)

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        bomb = self._bombs[index]
        name = bomb.make(site)
        words = [word.replace("{}", name) for word in READERS[bomb.reader]]
        outcome = site.presort(*words)
        codes = frozenset({0, 1, 2, 3}) if bomb.reader == "compare-probes" else frozenset({0, 2, 3})
        for path in site.folder.iterdir():  # nothing that large is kept
            if path.is_file() and not path.is_symlink() and path.stat().st_size > 1 << 24:
                path.unlink()
        found = judge(outcome, Expected(codes=codes, names=(name,)))
        what = f"{bomb.what} as {bomb.reader}"
        return [Finding(f.verdict, f"{what}: {f.detail}", what) for f in found]


ATTACKS: list[Attack] = [BombAttack()]
