#!/usr/bin/env python3
"""Does any code with AVX call code without it while upper halves of vector registers are in use?

On a Golden Cove each such call takes 150 ns. gcc 12 once left out vzeroupper before some of them
(docs/results/simulation-speed.md, "Dirty upper halves"). Follows all paths of each function that uses
ymm or zmm registers. A call or return of a function without them must find a vzeroupper behind the
last use. Only on x86-64, with objdump.
usage: dirty_halves_test.py PROGRAM
"""
import platform
import re
import shutil
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s+([0-9a-f]+):\s+(\S.*)$")
WIDE = re.compile(r"%[yz]mm")
TARGET = re.compile(r"<([^>+]+)(?:\+0x[0-9a-f]+)?>")
JUMP = re.compile(r"^j\w+\s+([0-9a-f]+)")


def functions_of(program):
    """The instructions of each function, as (address, text)."""
    text = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", program],
                          capture_output=True, text=True, check=True).stdout
    functions = {}
    instructions = []
    for line in text.splitlines():
        if name := FUNCTION.match(line):
            instructions = functions.setdefault(name.group(1), [])
        elif one := INSTRUCTION.match(line):
            instructions.append((int(one.group(1), 16), one.group(2)))
    return functions


def dirty_exits(instructions, is_wide):
    """Calls, jumps and returns out of a function that some path reaches with dirty upper halves.

    Jumps to its rarely used part (.cold), which stands apart, are not followed."""
    index = {address: i for i, (address, _) in enumerate(instructions)}
    seen = [set() for _ in instructions]
    found = set()
    left = [(0, False)]
    while left:
        i, dirty = left.pop()
        if i >= len(instructions) or dirty in seen[i]:
            continue
        seen[i].add(dirty)
        text = instructions[i][1]
        operation = text.split()[0]
        if operation == "vzeroupper":
            dirty = False
        elif WIDE.search(text):
            dirty = True
        target = TARGET.search(text)
        callee = target.group(1) if target else "?"
        if operation.startswith("call") and dirty and not is_wide(callee):
            found.add(text)
        if operation.startswith("ret"):
            if dirty:
                found.add(text)
            continue
        if jump := JUMP.match(text):
            to = int(jump.group(1), 16)
            if to in index:
                left.append((index[to], dirty))
            elif dirty and not is_wide(callee) and ".cold" not in callee:
                found.add(text)
        if operation != "jmp":
            left.append((i + 1, dirty))
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: dirty_halves_test.py PROGRAM")
    if platform.machine() != "x86_64" or not shutil.which("objdump"):
        print("dirty_halves_test: no objdump for x86-64 here; nothing is tested")
        return
    functions = functions_of(sys.argv[1])
    wide = {name for name, instructions in functions.items()
            if any(WIDE.search(text) for _, text in instructions)}
    simulated = {name for name in wide if "presort" in name and "sim" in name}
    if len(simulated) < 2:
        sys.exit(f"dirty_halves_test: found {len(simulated)} functions of the simulator with AVX, "
                 "expected two or more")
    wrong = 0
    for name in sorted(simulated):
        for text in sorted(dirty_exits(functions[name], wide.__contains__)):
            print(f"dirty_halves_test: upper halves are dirty at {text} in {name}")
            wrong += 1
    print(f"{len(simulated)} functions with AVX, {wrong} exits with dirty upper halves")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
