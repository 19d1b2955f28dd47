#!/usr/bin/env bash
# Million data records a second that cache simulators count, without time, on the same traces by
# turns: ours, Dinero IV and pycachesim's C code. Records are read into memory first. Prints a row
# for each program of bench/accuracy/cachegrind.sh: medians of the rounds.
# usage: bench/peers/caches/compare.sh BUILD_FOLDER DINERO_FOLDER PYCACHESIM_FOLDER [ROUNDS=5]
#        (after ninja -C BUILD_FOLDER cachegrind_counts caches_ours; folders have the sources, of
#        Dinero IV also the config.h of its configure)
set -euo pipefail
build=$(realpath "$1") dinero=$(realpath "$2") pycachesim=$(realpath "$3")/cachesim rounds=${4:-5}
here=$(realpath "$(dirname "$0")")
command -v valgrind >/dev/null || { echo "compare.sh: valgrind is missing" >&2; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C
readonly kCaches=(32 8 512 16)  # KiB, ways of D1; KiB, ways of LL

gcc -O3 -march=native -w -I"$here" -I"$dinero" -o dinero "$here/dinero.c" "$dinero"/{ref,misc,plru}.c -lm
gcc -O3 -march=native -w -DNO_PYTHON -I"$here" -I"$pycachesim" -o pycachesim "$here/pycachesim.c" \
  "$pycachesim/backend.c" -lm
ln -s "$build/caches_ours" ours

awk 'BEGIN { srand(1); for (i = 0; i < 16000; ++i) print int(rand() * 1e9), i }' >numbers.txt
echo '{ sums[$1 % 5000] += $2 } END { for (k in sums) print k, sums[k] }' >sum.awk
programs=("sort --parallel=1 -S 8M -o sorted.txt numbers.txt" "gzip -kf numbers.txt"
  "awk -f sum.awk numbers.txt")

field() {  # field KEY LINE
  sed "s/.*\b$1=\([0-9.]*\).*/\1/" <<<"$2"
}
median() {  # median FILE
  sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

echo "| program | records | D1, LL misses: ours | Dinero IV | pycachesim | M records/s: ours | Dinero IV | pycachesim | ours ÷ Dinero IV | ours ÷ pycachesim |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for program in "${programs[@]}"; do
  read -ra words <<<"$program"
  mkfifo trace
  setarch -R valgrind --log-file=trace --tool=lackey --trace-mem=yes "${words[@]}" >/dev/null 2>&1 &
  "$build/cachegrind_counts" "${kCaches[@]}" scratch.presort records.bin <trace >/dev/null
  wait $!
  rm -f trace ./*.seconds
  for ((round = 0; round < rounds; ++round)); do
    for simulator in ours dinero pycachesim; do
      ./$simulator records.bin "${kCaches[@]}" >$simulator.line
      field seconds "$(<$simulator.line)" >>$simulator.seconds
    done
  done
  misses() { echo "$(field d1 "$(<"$1.line")"), $(field ll "$(<"$1.line")")"; }
  count=$(field records "$(<ours.line)")
  awk -v name="${words[0]}" -v n="$count" -v a="$(median ours.seconds)" -v b="$(median dinero.seconds)" \
    -v c="$(median pycachesim.seconds)" -v ma="$(misses ours)" -v mb="$(misses dinero)" \
    -v mc="$(misses pycachesim)" 'BEGIN {
      printf "| %s | %d | %s | %s | %s | %.0f | %.1f | %.1f | %.1f | %.1f |\n", name, n, ma, mb, mc,
        n / a / 1e6, n / b / 1e6, n / c / 1e6, b / a, c / a }'
done
