#!/usr/bin/env bash
# Kills (SIGKILL) ranks of a campaign, or all of them, at random times, and starts it again each time.
# In the end its store must be that of one thread that was never killed, byte for byte.
usage="usage: bench/campaign/campaign_kills.sh BUILD_FOLDER [KILLS [SEED]]"
set -uo pipefail
[ $# -ge 1 ] || { echo "$usage" >&2; exit 2; }
build=$(realpath "$1")
kills=${2:-30}
RANDOM=${3:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cat >sweep.yaml <<END
presort: campaign/1
mode: predict
machines: [rome-7742]
set:
  cpu.caches.L2.size: [512KiB, 1MiB]
  memory.latency: {from: 80, to: 120, count: 2500, unit: ns}
problems: {n: 2^26, m: {from: 2^10, to: 2^28, factor: 4}}
plans: [{sortBits: 0}, {sortBits: 9}]
END
cp sweep.yaml one.yaml
"$build/presort" campaign one.yaml -q --threads 2

done_kills=0
while [ "$done_kills" -lt "$kills" ]; do
  mpirun --oversubscribe -n 4 "$build/presort-mpi" campaign sweep.yaml -q >/dev/null 2>&1 &
  run=$!
  sleep "0.$((RANDOM % 9 + 1))"
  sleep "0.$((RANDOM % 9 + 1))"
  mapfile -t pids < <(pgrep -f "^$build/presort-mpi campaign sweep.yaml")
  if [ ${#pids[@]} -gt 0 ]; then
    if [ $((RANDOM % 3)) -eq 0 ]; then
      kill -9 "$run" "${pids[@]}" 2>/dev/null
    else
      kill -9 "${pids[$((RANDOM % ${#pids[@]}))]}" 2>/dev/null
    fi
    done_kills=$((done_kills + 1))
  fi
  wait "$run" 2>/dev/null
  # Ranks whose mpirun was killed end by themselves.
  while pgrep -f "^$build/presort-mpi campaign sweep.yaml" >/dev/null; do sleep 0.1; done
done
"$build/presort-mpi" campaign status sweep.yaml | tail -1
mpirun --oversubscribe -n 4 "$build/presort-mpi" campaign sweep.yaml -q
cmp one.sqlite sweep.sqlite && echo "$done_kills kills, the same store"
