#!/usr/bin/env bash
# A sweep on threads of one process, and on as many processes of one thread, by turns, so that a busy
# host slows both alike. What only threads lose, they lose to what a process shares: its memory map, its
# allocator, lines of the caches that two threads write.
# usage: bench/speed/sweep_turns.sh PROGRAM MACHINE.yaml THREADS VARIANTS ROUNDS
#   PROGRAM: a build of sweep_scaling. VARIANTS: simulations for each thread or process
set -euo pipefail
if [ $# -ne 5 ]; then
  echo "usage: sweep_turns.sh PROGRAM MACHINE.yaml THREADS VARIANTS ROUNDS" >&2
  exit 2
fi
readonly kProgram=$1 kMachine=$2 kThreads=$3 kVariants=$4 kRounds=$5

# Each run makes three sweeps; the columns are those of sweep_scaling.
for ((round = 0; round < kRounds; ++round)); do
  "$kProgram" "$kMachine" --threads "$kThreads" --variants $((kThreads * kVariants)) |
    tail -n 1 | sed 's/^/threads /'
  pids=()
  for ((k = 0; k < kThreads; ++k)); do
    "$kProgram" "$kMachine" --threads 1 --variants "$kVariants" | tail -n 1 | sed 's/^/process /' &
    pids+=($!)
  done
  wait "${pids[@]}"
done | awk -F'|' '{ kind = substr($1, 1, 7); n[kind]++; wall[kind] += $3; cpu[kind] += $4; fault[kind] += $8 }
  END {
    print "| kind | runs | s of a sweep, mean | CPU s of a run, mean | page faults, mean |"
    print "| --- | --- | --- | --- | --- |"
    for (kind in n)
      printf "| %s | %d | %.3f | %.2f | %.0f |\n", kind, n[kind], wall[kind] / n[kind],
        cpu[kind] / n[kind], fault[kind] / n[kind]
  }'
