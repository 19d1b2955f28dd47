#!/usr/bin/env bash
# Three ordinary programs under cachegrind, and their lackey traces through our simulator with the
# same caches: prints the rows of docs/results/cachegrind.md. Address randomisation is off, so both
# see the same addresses. Speeds are data references per second of processor time. Cachegrind runs
# before and after our simulator, and its shorter time counts, less its start: its time for /bin/true.
# usage: bench/accuracy/cachegrind.sh BUILD_FOLDER      (after ninja -C BUILD_FOLDER cachegrind_counts)
set -euo pipefail
counts=$(realpath "$1")/cachegrind_counts
command -v valgrind >/dev/null || { echo "cachegrind.sh: valgrind is missing" >&2; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C
TIMEFORMAT=%U

readonly kI1=1048576,16,64 kD1=(32 8) kLL=(512 16)  # bytes, ways, line; KiB, ways

awk 'BEGIN { srand(1); for (i = 0; i < 16000; ++i) print int(rand() * 1e9), i }' >numbers.txt
echo '{ sums[$1 % 5000] += $2 } END { for (k in sums) print k, sums[k] }' >sum.awk
programs=("sort --parallel=1 -S 8M -o sorted.txt numbers.txt" "gzip -kf numbers.txt"
  "awk -f sum.awk numbers.txt")

# cachegrind WORDS…: runs the command WORDS under cachegrind; leaves cachegrind's summary in summary.txt
# and prints its seconds.
cachegrind() {
  { time setarch -R valgrind --log-file=summary.txt --tool=cachegrind --cache-sim=yes \
    --cachegrind-out-file=/dev/null --I1=$kI1 --D1=$((kD1[0] * 1024)),"${kD1[1]}",64 \
    --LL=$((kLL[0] * 1024)),"${kLL[1]}",64 "$@" >/dev/null 2>&1; } 2>&1
}

# ours WORDS…: prints what cachegrind_counts says of the lackey trace, which is not stored.
ours() {
  mkfifo trace
  setarch -R valgrind --log-file=trace --tool=lackey --trace-mem=yes "$@" >/dev/null 2>&1 &
  "$counts" "${kD1[@]}" "${kLL[@]}" scratch.presort <trace
  wait $!
  rm trace
}

summary() {  # summary KEY: the first number behind KEY in cachegrind's summary
  grep -m1 "$1" summary.txt | sed 's/.*: *//; s/,//g; s/ .*//'
}
field() {  # field KEY LINE
  sed "s/.*\b$1=\([0-9.]*\).*/\1/" <<<"$2"
}
beside() {  # beside OURS THEIRS: "theirs | ours (difference)"
  awk -v a="$1" -v b="$2" 'BEGIN { printf "%d | %d (%+.3f %%)", b, a, (a / b - 1) * 100 }'
}
rate() {  # rate REFERENCES SECONDS
  awk -v n="$1" -v s="$2" 'BEGIN { printf "%.0f", n / s / 1e6 }'
}

shorter() {  # shorter SECONDS SECONDS
  awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'
}

start=$(shorter "$(cachegrind true)" "$(cachegrind true)")
echo "start of cachegrind: $start s" >&2
echo "| program | data refs | ours | D1 misses | ours | LLd misses | ours | LL misses with instructions | ours | M refs/s: cachegrind | ours, trace in a file | ours, in memory |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for program in "${programs[@]}"; do
  read -ra words <<<"$program"
  seconds=$(cachegrind "${words[@]}")
  line=$(ours "${words[@]}")
  seconds=$(shorter "$seconds" "$(cachegrind "${words[@]}")")
  refs=$(summary 'D *refs')
  echo "| ${words[0]} | $(beside "$(field refs "$line")" "$refs")" \
    "| $(beside "$(field d1 "$line")" "$(summary 'D1 *misses')")" \
    "| $(beside "$(field ll "$line")" "$(summary 'LLd misses')")" \
    "| $(beside "$(field ll_with_instructions "$line")" "$(summary 'LL misses')")" \
    "| $(rate "$refs" "$(awk -v a="$seconds" -v b="$start" 'BEGIN { print a - b }')")" \
    "| $(rate "$refs" "$(field file_seconds "$line")") | $(rate "$refs" "$(field seconds "$line")") |"
done
