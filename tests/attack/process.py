"""Runs one process with limits on time, memory and output, and says how it ended."""

from __future__ import annotations

import os
import resource
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HANG_SECONDS = 20.0
ADDRESS_BYTES = 4 << 30  # most address space of a process without sanitizers
OUTPUT_BYTES = 256 << 20  # most bytes of one file that a process writes
SHOWN_BYTES = 8 << 20  # most bytes of stdout and of stderr that are read back

# How a standard stream can be: what the process gets as descriptor 0, 1 or 2.
#   plain: /dev/null as stdin, a file as stdout or stderr
#   closed: no such descriptor; full: every write fails with ENOSPC; pipe: nobody reads it
STREAMS = ("plain", "closed", "full", "pipe")


@dataclass(frozen=True)
class Outcome:
    """How a process ended."""

    words: tuple[str, ...]
    status: int  # exit status, or the negative number of a signal
    timed_out: bool
    seconds: float
    cpu_seconds: float  # processor time of all its threads and children
    peak_bytes: int  # largest resident set of the process and of its children
    stdout: bytes
    stderr: bytes

    def command(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.words)

    def message(self) -> str:
        """What stands on stderr, as text."""
        return self.stderr.decode("utf-8", "replace").strip()


def _limit(address_bytes: int | None, close: Sequence[int]) -> Callable[[], None]:
    """What the child does before it becomes the program."""

    def prepare() -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
        if address_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (address_bytes, address_bytes))
        for descriptor in close:
            os.close(descriptor)

    return prepare


def _open_stream(kind: str, number: int, capture: Path) -> int:
    """The descriptor that the child gets as `number`; "closed" is closed in the child."""
    if number == 0:
        if kind == "pipe":  # an end that never gives anything and is never closed would hang cat
            reader, writer = os.pipe()
            os.close(writer)
            return reader
        return os.open("/dev/full" if kind == "full" else os.devnull, os.O_RDONLY)
    if kind == "full":
        return os.open("/dev/full", os.O_WRONLY)
    if kind == "pipe":
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    return os.open(capture, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)


def _read_back(capture: Path) -> bytes:
    with open(capture, "rb") as file:
        return file.read(SHOWN_BYTES)


def crowding() -> float:
    """Runnable threads for each processor in the last minute, at least 1: a wait in wall-clock time
    is so many times as long as on a quiet machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _end(pid: int, timeout: float) -> tuple[int, bool, resource.struct_rusage]:
    """Waits for the process; after the timeout its whole session is killed."""
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        timed_out = not poll.poll(timeout * 1000)
    finally:
        os.close(handle)
    if timed_out:
        os.killpg(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), timed_out, usage


class Running:
    """A process that was started and not yet waited for."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        captures: Path,
        env: Mapping[str, str],
        address_bytes: int | None = ADDRESS_BYTES,
        streams: tuple[str, str, str] = ("plain", "plain", "plain"),
    ) -> None:
        self.words = tuple(words)
        self._captures = [captures / f"{name}.{id(self)}" for name in ("in", "out", "err")]
        descriptors = [
            _open_stream(kind, number, self._captures[number])
            for number, kind in enumerate(streams)
        ]
        closed = [number for number, kind in enumerate(streams) if kind == "closed"]
        self._start = time.monotonic()
        try:
            self._process = subprocess.Popen(
                self.words,
                cwd=folder,
                env=dict(env),
                stdin=descriptors[0],
                stdout=descriptors[1],
                stderr=descriptors[2],
                preexec_fn=_limit(address_bytes, closed),
            )
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ended(self, seconds: float) -> bool:
        """Whether it ends within so many seconds. It must still be waited for."""
        handle = os.pidfd_open(self.pid)
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            return bool(poll.poll(seconds * 1000))
        finally:
            os.close(handle)

    def signal(self, number: int) -> None:
        """Sends a signal to the process alone."""
        os.kill(self.pid, number)

    def wait(self, timeout: float = HANG_SECONDS) -> Outcome:
        """Waits for its end, which is forced after `timeout` seconds."""
        status, timed_out, usage = _end(self.pid, timeout)
        seconds = time.monotonic() - self._start
        self._process.returncode = status
        outputs = [_read_back(path) if path.exists() else b"" for path in self._captures[1:]]
        for path in self._captures[1:]:
            path.unlink(missing_ok=True)
        return Outcome(
            words=self.words,
            status=status,
            timed_out=timed_out,
            seconds=seconds,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_bytes=usage.ru_maxrss * 1024,
            stdout=outputs[0],
            stderr=outputs[1],
        )
