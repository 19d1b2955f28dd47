#!/usr/bin/env bash
# Two or more builds of pattern_speed by turns, so that a busy machine slows all alike: prints for each
# pattern the medians of million accesses a second, counts alone and timed, and their ratios to the
# first build. Thread time, after as many accesses to warm.
# usage: bench/speed/pattern_turns.sh ROUNDS LOG2 MACHINE.yaml PROGRAM PROGRAM…
#   LOG2: of the accesses of a round. PROGRAM: a build of pattern_speed
set -euo pipefail
if [ $# -lt 4 ]; then
  echo "usage: pattern_turns.sh ROUNDS LOG2 MACHINE.yaml PROGRAM…" >&2
  exit 2
fi
readonly kRounds=$1 kLog2=$2 kMachine=$3
shift 3
for pattern in hot streaming random-2M random-4K direct; do
  for ((round = 0; round < kRounds; ++round)); do
    for program in "$@"; do
      row=$("$program" "$kMachine" "log2=$kLog2" "pattern=$pattern" | tail -n 1)
      awk -F'|' -v p="$pattern" -v b="$program" '{ print p "|" b "|" $4 "|" $5 }' <<<"$row"
    done
  done
done | python3 -c '
import statistics, sys
rounds = {}
for line in sys.stdin:
    pattern, program, counted, timed = line.split("|")
    rounds.setdefault(pattern, {}).setdefault(program, []).append((float(counted), float(timed)))
print("| pattern | program | counts alone, M/s | ratio | timed, M/s | ratio |\n| --- | --- | --- | --- | --- | --- |")
for pattern, programs in rounds.items():
    first = None
    for program, values in programs.items():
        medians = [statistics.median(column) for column in zip(*values)]
        first = first or medians
        ratios = [value / of for value, of in zip(medians, first)]
        print(f"| {pattern} | {program} | {medians[0]:.1f} | {ratios[0]:.2f} | {medians[1]:.1f} | {ratios[1]:.2f} |")
'
