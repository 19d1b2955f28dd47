#!/usr/bin/env bash
# Times a sum on files with little memory against the device itself: reading and writing the inputs'
# bytes twice by dd past the page cache, in the same run, before and after. Then the direct way,
# through mmap, for some seconds. FOLDER needs room for 3.5 times the inputs of 8 bytes. Inputs that
# are in FOLDER already (labels.u32, values.u32, of make_inputs N M FOLDER) are taken, and stay.
usage="usage: bench/external/files_speed.sh BUILD_FOLDER FOLDER [N [M [MEMORY [SECONDS [PLAN…]]]]]"
set -euo pipefail
[ $# -ge 2 ] || { echo "$usage" >&2; exit 2; }
build=$(realpath "$1")
given=$(realpath "$2")
folder=$(mktemp -d "$given/files_speed_XXXXXX")
n=${3:-2^28}
m=${4:-2^27}
memory=${5:-256MiB}
seconds=${6:-60}
shift $(($# < 6 ? $# : 6))
trap 'rm -rf "$folder"' EXIT
cd "$folder"

now() { date +%s.%N; }
begin=$(now)
if [ -f "$given/labels.u32" ]; then
  ln "$given/labels.u32" "$given/values.u32" .
else
  "$build/make_inputs" "$n" "$m" .
fi
sync
echo "inputs made in $(echo "$(now) - $begin" | bc) s"
blocks=$((($(stat -c %s labels.u32) + $(stat -c %s values.u32)) >> 20))

# Reads all inputs and writes as many bytes, twice; prints seconds.
twice() {
  local begin
  begin=$(now)
  for _ in 1 2; do
    for file in labels.u32 values.u32; do
      dd if=$file of=/dev/null bs=1M iflag=direct status=none
    done
    dd if=/dev/zero of=reference bs=1M count=$blocks oflag=direct conv=fsync status=none
    rm reference
  done
  echo "dd, read and written twice: $(echo "$(now) - $begin" | bc) s"
}
run() { "$build/presort" run --labels labels.u32 --values values.u32 -b "$m" --memory "$memory" \
  -o sums.u32 "$@"; }

twice
run
for plan in "$@"; do
  run --file-plan "$plan"
done
twice
rm sums.u32
echo "direct, through mmap, $memory of pages:"
timeout $((3 * ${seconds%.*} + 20)) "$build/direct_scatter" labels.u32 values.u32 sums.u32 "$m" \
  "$memory" "$seconds" || echo "not ended"
