#!/usr/bin/env bash
# Times a campaign in closed form: one thread, two threads, and ranks of MPI (2 and 4 unless RANKS
# says otherwise), by turns, then a long one with two threads. Prints points a second, of points that
# were computed. The rows of all runs must be the same.
usage="usage: bench/campaign/campaign_speed.sh BUILD_FOLDER [POINTS [LONG_POINTS [TURNS [RANKS…]]]]"
set -euo pipefail
[ $# -ge 1 ] || { echo "$usage" >&2; exit 2; }
build=$(realpath "$1")
points=${2:-100000}
long=${3:-1000000}
turns=${4:-2}
shift $(($# < 4 ? $# : 4))
rank_counts=("$@")
[ $# -gt 0 ] || rank_counts=(2 4)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

write_campaign() {  # write_campaign FILE POINTS
  cat >"$1" <<END
presort: campaign/1
mode: predict
machines: [rome-7742]
set:
  cpu.caches.L2.size: [512KiB, 1MiB]
  memory.latency: {from: 80, to: 120, count: $(($2 / 20)), unit: ns}
problems: {n: 2^26, m: {from: 2^10, to: 2^28, factor: 4}}
plans: [{sortBits: 0}]
END
}

timed() {  # timed NAME COMMAND…
  rm -rf sweep.journals
  echo "$1: $("${@:2}" campaign sweep.yaml -q --no-store)"
  "$build/presort" campaign export sweep.yaml -o rows.csv >/dev/null
  [ -e first.csv ] || cp rows.csv first.csv
  cmp first.csv rows.csv
}

write_campaign sweep.yaml "$points"
one() { "$build/presort" "$@" --threads 1; }
two() { "$build/presort" "$@" --threads 2; }
ranks() { mpirun --oversubscribe -n "$1" "$build/presort-mpi" "${@:2}"; }
for _ in $(seq "$turns"); do
  timed "one thread" one
  timed "two threads" two
  if [ -x "$build/presort-mpi" ]; then
    for count in "${rank_counts[@]}"; do
      timed "$count ranks" ranks "$count"
    done
  fi
done
rm -f first.csv
write_campaign sweep.yaml "$long"
timed "two threads" two
