#!/usr/bin/env bash
# From how many buckets on does a partition pay on a device? Sums directly, through mmap with 64 MiB
# of pages, beside runs on files with 64 MiB of memory, by the number of buckets; and what is
# predicted of both. MACHINE.yaml is a machine file whose section storage is that of
# `presort probe --disk FOLDER`, with pageCache: 64MiB.
usage="usage: bench/external/files_crossover.sh BUILD_FOLDER FOLDER MACHINE.yaml"
set -euo pipefail
[ $# -eq 3 ] || { echo "$usage" >&2; exit 2; }
build=$(realpath "$1")
machine=$(realpath "$3")
folder=$(mktemp -d "$2/files_crossover_XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for bits in 22 23 24 25 26 28; do
  "$build/make_inputs" 2^24 2^$bits .
  sync
  echo "== m = 2^$bits"
  "$build/direct_scatter" labels.u32 values.u32 direct.u32 2^$bits 64MiB 8
  rm -f direct.u32
  "$build/presort" simulate -m "$machine" --op multireduce -n 2^24 -b 2^$bits --plan sortBits=0 |
    grep "ns per input" | head -1
  "$build/presort" run --labels labels.u32 --values values.u32 -b 2^$bits --memory 64MiB \
    -m "$machine" -o sums.u32
done
