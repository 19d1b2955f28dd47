#!/usr/bin/env python3
"""Runs the blocks of a Markdown page, in their order, as a reader would; CONVENTIONS.md says which.

usage: run_page.py PAGE --source FOLDER --build FOLDER [--cmake FILE] [--without NEED]...
       run_page.py PAGE --bare

The blocks run in a scratch folder that looks like a checkout after a build: it has a link to each entry
of the source folder, `build` is a link to the build folder, and an installation of it is
found by CMake. With --bare it is empty. --without says what a build lacks:
blocks that need it are skipped. What a block exports, and the folder that it changes
to, hold for the next one.
Exit status: 0 every block did what the page says, 1 otherwise.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import markdown
import shown
from markdown import PageError

RUNS = {"sh", "console"}  # languages of blocks that are run
KEPT = {"c", "cpp", "cmake", "cuda", "yaml", "python"}  # must be written to a file, or be skipped
SECONDS = 300  # a command's time, unless its block says within=SECONDS


class Needs:
    """What this machine has of that which blocks may ask for."""

    def __init__(self, without=()):
        self._without = without
        folders = f"{os.environ.get('PATH', '')}:/usr/local/cuda/bin"
        self.nvcc = shutil.which("nvcc", path=folders)
        self.environment = None  # of the commands

    def missing(self, need):
        """Why a need is not met, or ""."""
        if need in self._without:
            return f"this build is without {need}"
        if need == "nvcc":
            return "" if self.nvcc else "no nvcc here"
        if need == "gpu":
            return "" if os.path.exists("/dev/nvidiactl") else "no GPU here"
        if need in ("valgrind", "gnuplot", "python3", "zstd"):
            return "" if shutil.which(need) else f"no {need} here"
        if need == "libpresort":
            found = subprocess.run(["pkg-config", "--exists", "presort"], env=self.environment,
                                   check=False).returncode == 0
            return "" if found else "no libpresort.so in this build (scripts/c.sh tests it)"
        if need == "presort.py":
            found = shutil.which("python3") and subprocess.run(
                ["python3", "-c", "from presort import segment_sum"], capture_output=True, check=False).returncode == 0
            return "" if found else "no Python package presort here (scripts/python.sh tests it)"
        if need == "torch.py":
            found = shutil.which("python3") and subprocess.run(
                ["python3", "-c", "import torch, presort.torch"], capture_output=True, check=False).returncode == 0
            return "" if found else "no PyTorch beside the Python package presort here"
        if need == "presort":
            path = (self.environment or os.environ).get("PATH", "")
            return "" if shutil.which("presort", path=path) else "no command presort here (ctest runs this block)"
        if need == "2cores":
            return "" if len(os.sched_getaffinity(0)) >= 2 else "one core here"
        raise PageError(f"needs={need}: known are 2cores, nvcc, gpu, libpresort, valgrind, gnuplot, "
                        "python3, presort, presort.py, torch.py, zstd")


class Shell:
    """Runs commands with bash, each in the state that the one before left."""

    def __init__(self, scratch, environment):
        self._folder, self._environment = scratch, environment
        self._state = scratch.parent / "state"
        self._state.write_text(f"cd {scratch}\n")

    def run(self, command, seconds):
        """Returns exit status (None: took too long), standard output and standard error."""
        script = (f"source {self._state}\n"
                  f"trap '{{ export -p; echo cd \"$PWD\"; }} >{self._state}' EXIT\n"
                  f"set -euo pipefail\n{command}\n")
        process = subprocess.Popen(["bash", "-c", script], cwd=self._folder, env=self._environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, errors="replace",
                                   start_new_session=True)
        try:
            output, complaints = process.communicate(timeout=seconds)
            return process.returncode, output, complaints
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, *process.communicate()


def commands_of(block):
    """Pairs of a command and the lines shown below it: of `sh` one, of `console` one for each `$ `."""
    if block.language == "sh":
        return [("\n".join(block.lines), [])]
    pairs, goes_on = [], False
    for line in block.lines:
        if line.startswith("$ "):
            pairs.append([line[2:], []])
        elif goes_on:
            pairs[-1][0] += "\n" + line
        elif not pairs:
            raise PageError(f"{block.place}: the first line of a console begins with '$ '")
        else:
            pairs[-1][1].append(line)
        goes_on = (line.startswith("$ ") or goes_on) and line.endswith("\\")
    return pairs


def check_words(block):
    modes = [word for word in block.words if word in shown.READINGS]
    unknown = set(block.words) - set(modes) | set(block.values) - {"file", "needs", "exit", "within"}
    if unknown or len(modes) > 1:
        raise PageError(f"{block.place}: '{' '.join(sorted(unknown) or modes)}' is not understood")
    if block.language in KEPT and not block.skip and "file" not in block.values:
        raise PageError(f"{block.place}: a block of {block.language} needs file=NAME or skip: REASON")
    return modes[0] if modes else "similar"


def write_file(block, folder):
    """Writes the block where the page says, never through a link into the source."""
    path = folder / block.values["file"]
    real = folder.resolve()
    for parent in [path, *path.parents]:
        if parent == folder:
            break
        if parent.is_symlink():
            raise PageError(f"{block.place}: file={block.values['file']} is in the checkout")
    if not path.resolve().is_relative_to(real) or path.resolve() == real:
        raise PageError(f"{block.place}: file={block.values['file']} is outside of the scratch folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(block.lines) + "\n", encoding="utf-8")


def run_block(block, mode, shell):
    """Returns how many commands ran. Raises PageError for one that does not do what the page says."""
    status_wanted = int(block.values.get("exit", 0))
    pairs = commands_of(block)
    for number, (command, lines) in enumerate(pairs, 1):
        status, output, complaints = shell.run(command, float(block.values.get("within", SECONDS)))
        wanted = status_wanted if number == len(pairs) else 0
        heading = f"{block.place}: $ {command}\n{output}{complaints}"
        if status is None:
            raise PageError(f"{heading}took too long")
        if status != wanted:
            raise PageError(f"{heading}exit status {status} instead of {wanted}")
        if block.language == "console":
            given = output.splitlines() + (complaints.splitlines() if wanted != 0 else [])
            missing = shown.first_missing(lines, given, mode)
            if missing is not None:
                raise PageError(f"{heading}the page shows, but was not printed ({mode}): {missing}")
    return len(pairs)


def run_page(page, scratch, environment, needs):
    """Runs all blocks; prints a line for each; returns how many commands ran."""
    text = page.read_text(encoding="utf-8")
    shell, ran = Shell(scratch, environment), 0
    needs.environment = environment
    for block in markdown.fenced_blocks(page.name, text):
        mode = check_words(block)
        reason = block.skip or next(
            (why for need in filter(None, block.values.get("needs", "").split(","))
             if (why := needs.missing(need))), "")
        if block.language not in RUNS and "file" not in block.values:
            continue
        if reason:
            print(f"{block.place}: skipped: {reason}")
        elif block.language in RUNS:
            began = time.monotonic()
            ran += run_block(block, mode, shell)
            print(f"{block.place}: {block.language}, {mode}, {time.monotonic() - began:.1f} s", flush=True)
        else:
            write_file(block, scratch)
            print(f"{block.place}: written to {block.values['file']}")
    return ran


def prepare(scratch, arguments):
    """The scratch folder's links and the environment of the commands."""
    environment = {key: value for key, value in os.environ.items()
                   if key in ("LANG", "LC_ALL", "TMPDIR", "CXX", "CC") or key.startswith("CCACHE")}
    environment["HOME"] = str(scratch.parent)
    environment["PATH"] = os.environ["PATH"]
    if arguments.bare:
        return environment
    for entry in sorted(arguments.source.resolve().iterdir()):
        if not entry.name.startswith((".", "build")) and entry.name != "out":
            (scratch / entry.name).symlink_to(entry)
    (scratch / "build").symlink_to(arguments.build.resolve())
    prefix = scratch.parent / "installed"
    subprocess.run([arguments.cmake, "--install", arguments.build, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)
    environment["CMAKE_PREFIX_PATH"] = str(prefix)
    libraries = next(prefix.glob("**/pkgconfig"), prefix).parent
    environment["PKG_CONFIG_PATH"] = str(libraries / "pkgconfig")
    environment["LD_LIBRARY_PATH"] = str(libraries)
    environment["PATH"] = f"{scratch}/build:{environment['PATH']}:/usr/local/cuda/bin"
    return environment


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("--source", type=Path)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--without", action="append", default=[])
    arguments = parser.parse_args()
    if not arguments.bare and not (arguments.source and arguments.build):
        parser.error("--source and --build, or --bare")
    with tempfile.TemporaryDirectory(prefix="presort-docs-") as folder:
        scratch = Path(folder) / "checkout"
        scratch.mkdir()
        try:
            ran = run_page(arguments.page, scratch, prepare(scratch, arguments), Needs(arguments.without))
        except PageError as error:
            sys.exit(f"FAILED {error}")
    print(f"{arguments.page.name}: {ran} commands did what the page says")


if __name__ == "__main__":
    main()
