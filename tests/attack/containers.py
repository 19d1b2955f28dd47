"""Changes to inputs inside a container: gzip, xz, zstd, NumPy's format.

Half of the changes are of the container's own bytes, half of what it holds, packed again.
"""

from __future__ import annotations

import gzip
import lzma
import shutil
import struct
import subprocess
from collections.abc import Callable
from random import Random

import mutate

Change = Callable[[Random, bytes], bytes]


def _zstd(arguments: list[str], content: bytes) -> bytes:
    return subprocess.run(["zstd", *arguments], input=content, capture_output=True).stdout


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda content: gzip.compress(content, mtime=0),
    "xz": lzma.compress,
    "zst": lambda content: _zstd(["-qc"], content),
}
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.decompress,
    "xz": lzma.decompress,
    "zst": lambda content: _zstd(["-dqc"], content),
}


def available(ending: str) -> bool:
    """zstd is a program of its own, which may be missing."""
    return ending != "zst" or shutil.which("zstd") is not None


def _of_many(draw: Random, pack: Callable[[bytes], bytes], content: bytes) -> bytes:
    """The content compressed in one piece or in several, with or without bytes behind it."""
    match draw.randrange(6):
        case 0:
            cut = draw.randrange(len(content) + 1)
            return pack(content[:cut]) + pack(content[cut:])
        case 1:
            return pack(content) + draw.choice([b"\0" * 100, b"x", b"\x1f\x8b", pack(b"")])
        case 2:
            packed = pack(content)
            return packed[: draw.randrange(len(packed) + 1)]
        case _:
            return pack(content)


def change_packed(draw: Random, ending: str, content: bytes, change: Change) -> bytes:
    """A compressed input changed inside or outside."""
    if draw.random() < 0.5 or not available(ending):
        return mutate.change_bytes(draw, content)
    return _of_many(draw, PACK[ending], change(draw, UNPACK[ending](content)))


def change_npy(draw: Random, content: bytes) -> bytes:
    """NumPy's format: the words of the header, its length, its version, or the data."""
    if draw.random() < 0.3:
        return mutate.change_bytes(draw, content)
    length = struct.unpack_from("<H", content, 8)[0]
    header, data = content[10 : 10 + length], content[10 + length :]
    version = b"\x01\x00"
    chance = draw.random()
    if chance < 0.6:
        text = mutate.change_values(draw, header.decode("latin1"))
        header = text.encode("utf-8", "replace")
    elif chance < 0.7:
        version = draw.randbytes(2)
    elif chance < 0.85:
        data = data[: draw.randrange(len(data) + 1)] + draw.randbytes(draw.choice([0, 1, 8]))
    said = len(header) if draw.random() < 0.9 else draw.choice([0, 1, 65535, len(header) + 7])
    return content[:6] + version + struct.pack("<H", min(said, 65535)) + header + data
