"""Makes the valid inputs that attacks begin with: from the repository's files, by the command.

A folder for each kind of file. Files are small, so that a mutation matters and a case is quick.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from world import World

MACHINE = "golden-cove-vm"  # bundled; the machine of most cases

MATRICES = {
    "memlat.txt": """CPU#00 Freq: 2200.04MHz Type: "A Processor"
*** Linear Read Latency ***
Stride,     8,  64,  1K,
     2.0K,   4,   4,   5,
    64.0K,   4,   9,  14,
*** Random Read Latency ***
Stride,    64,  256,
    16.0K,   4,   4,
    64.0K,  14,  14,
""",
    "newmemlat.txt": """Arch:X64 CPUCount:20 NUMA:0 Freq: 3311.94MHz Priority:080
Memory To Test:65536KB 4K DTLB:768 2M DTLB:700 1G DTLB:  8 CLFlush:64
CPU#000 Type: "First"
Page_Random Tests
Stride:       8   16K
      48 KB   8
      96 KB  14   15
Random_Full Tests
Stride:       8   16
       2 KB   4    4
""",
}


def without_comments(yaml: str) -> str:
    """The text without comments, so that mutations meet what is read."""
    lines = (line if '"' in line else re.sub(r"(^|\s)#.*$", "", line) for line in yaml.split("\n"))
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def _yaml(world: World, folder: Path, patterns: list[str]) -> None:
    for pattern in patterns:
        for path in sorted(world.source.glob(pattern)):
            (folder / path.name).write_text(without_comments(path.read_text()))


def _machines(world: World, folder: Path) -> None:
    _yaml(world, folder, ["configs/machines/*.yaml", "tests/io/valid/machine_*.yaml"])


def _costs(world: World, folder: Path) -> None:
    _yaml(world, folder, ["configs/machines/*.costs.yaml", "tests/io/valid/*.costs.yaml"])


def _grids(world: World, folder: Path) -> None:
    _yaml(world, folder, ["configs/grids/*.yaml", "tests/io/valid/grid.yaml"])


def _problems(world: World, folder: Path) -> None:
    _yaml(world, folder, ["configs/problems/*.yaml", "tests/io/valid/problem_*.yaml"])


def _tuned(world: World, folder: Path) -> None:
    _yaml(world, folder, ["tests/io/valid/tuned.yaml", "fuzz/corpus/tuned/*.yaml"])
    _presort(
        world,
        [
            "tune",
            "-m",
            MACHINE,
            "-n",
            "2^12",
            "-b",
            "2^8,2^12",
            "--dist",
            "uniform,zipf:1",
            "--model-only",
            "-q",
            "-o",
            str(folder / "made.yaml"),
        ],
    )


def _labels(_world: World, folder: Path) -> None:
    labels = [7 * i % 16 for i in range(200)]
    (folder / "l.txt").write_text("# labels\n" + "".join(f"{label}\n" for label in labels))
    for name, code in (("l.u32", "I"), ("l.u64", "Q"), ("l.bin", "I"), ("l.raw", "I")):
        (folder / name).write_bytes(struct.pack(f"<{len(labels)}{code}", *labels))
    for kind, code in (("|u1", "B"), ("<u2", "H"), ("<u4", "I"), ("<i8", "q")):
        data = struct.pack(f"<{len(labels)}{code}", *labels)
        (folder / f"{kind[1:]}.npy").write_bytes(npy_header(kind, len(labels)) + data)


def npy_header(kind: str, count: int) -> bytes:
    """The header of NumPy's format 1.0 for an array of one dimension."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({count},), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin1")


def _traces(world: World, folder: Path) -> None:
    for path in sorted((world.source / "tests/sim/trace/data/valid").iterdir()):
        shutil.copyfile(path, folder / path.name)
    for name in ("loop.csv", "loop.champsim"):
        plain = (folder / name).read_bytes()
        (folder / f"{name}.gz").write_bytes(gzip.compress(plain, mtime=0))
        (folder / f"{name}.xz").write_bytes(lzma.compress(plain))
    for name, words in (("direct", []), ("sorted", ["--plan", "sortBits=3"])):
        _presort(
            world,
            [
                "simulate",
                "-m",
                MACHINE,
                "-n",
                "300",
                "-b",
                "64",
                "--full",
                "--record",
                str(folder / f"{name}.presort"),
                "-q",
                *words,
            ],
        )


def _points(world: World) -> Iterator[dict]:
    """Recorded points of small size, of problems that no core costs were fitted to."""
    path = world.source / f"docs/results/sweeps/{MACHINE}.jsonl.gz"
    with gzip.open(path, "rt") as lines:
        for line in lines:
            point = json.loads(line)
            if point["problem"]["m"] >= 1 << 16:
                yield {key: value for key, value in point.items() if key != "machine"}


def _replays(world: World, folder: Path) -> None:
    points = list(_points(world))[:12]
    text = "".join(json.dumps(point) + "\n" for point in points)
    (folder / "r.jsonl").write_text(text)
    (folder / "r.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def _reports(world: World, folder: Path) -> None:
    """Lines with all that a report reads: prediction, roles, a machine; and lines of GPU plans."""
    machine = {"name": "m", "cpu": {"clock_hz": 3e9, "cores": 2, "caches": [{"name": "L1d", "size_bytes": 32768}]},
               "memory": {"latency_ns": 90.0, "bandwidth_bytes_per_second": 2e10}}
    forecast = {"predicted_80_percent_ns_per_input": [1.0, 9.0], "predicted_stack_ns": {"core": 1.0, "L2": 2.0},
                "predicted_phases": [{"name": "reduce", "ns_per_input": 3.0}],
                "predicted_memory_bytes_per_input": 12.5, "tuned": True, "direct": False}
    points = [point | forecast | {"machine": machine} for point in list(_points(world))[:6]]
    (folder / "r.jsonl").write_text("".join(json.dumps(point) + "\n" for point in points))
    with gzip.open(world.source / "docs/results/sweeps/gpu-draws-h200.jsonl.gz", "rt") as lines:
        (folder / "g.jsonl").write_text("".join(line for line, _ in zip(lines, range(4), strict=False)))


def _loops(world: World, folder: Path) -> None:
    with gzip.open(world.source / f"docs/results/sweeps/loops-{MACHINE}.jsonl.gz", "rt") as lines:
        text = "".join(
            json.dumps({key: value for key, value in json.loads(line).items() if key != "machine"})
            + "\n"
            for line, _ in zip(lines, range(3), strict=False)
        )
    (folder / "l.jsonl").write_text(text)
    (folder / "l.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def _matrices(_world: World, folder: Path) -> None:
    for name, text in MATRICES.items():
        (folder / name).write_text(text)


def _presort(world: World, words: list[str]) -> None:
    subprocess.run([world.presort, *words], check=True, stdout=subprocess.DEVNULL)


MAKERS: dict[str, Callable[[World, Path], None]] = {
    "machine": _machines,
    "costs": _costs,
    "grid": _grids,
    "problem": _problems,
    "tuned": _tuned,
    "labels": _labels,
    "trace": _traces,
    "replay": _replays,
    "report": _reports,
    "loops": _loops,
    "matrix": _matrices,
}


def make(world: World) -> None:
    """Fills world.seeds. Errors: subprocess.CalledProcessError when the command refuses a seed."""
    for kind, maker in MAKERS.items():
        folder = world.seeds / kind
        folder.mkdir(parents=True)
        maker(world, folder)
