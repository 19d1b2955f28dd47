#!/usr/bin/env bash
# Runs fuzzers one after the other, each from its seeds, and stops at the first finding.
# usage: fuzz/run.sh BUILD_FOLDER SECONDS [NAME …]; NAME: presort, lackey, …, machine, …, results, …;
# without a NAME all fuzzers
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
build=$(realpath "$1")
seconds=$2
shift 2
names=("$@")
[ $# -gt 0 ] || names=(presort lackey din xdin csv champsim guessed machine core_costs problems tuned
  plan_grid results loops matrix npy compressed)

# seeds NAME: prints the files that a fuzzer starts from.
seeds() {
  local traces=$root/tests/sim/trace/data
  case "$1" in
    machine) echo "$root"/configs/machines/*.yaml ;;
    core_costs) echo "$root"/tests/io/valid/*.costs.yaml ;;
    problems) echo "$root"/configs/problems/*.yaml ;;
    plan_grid) echo "$root"/configs/grids/*.yaml ;;
    tuned | presort | results | loops | matrix | npy | compressed)
      echo "$root/fuzz/corpus/$1"/* ;;
    guessed) echo "$traces"/{valid,invalid}/* ;;
    *) ls "$traces"/{valid,invalid}/*."$1" ;;
  esac
}

for name in "${names[@]}"; do
  corpus=$build/fuzz_corpus/$name
  mkdir -p "$corpus"
  for seed in $(seeds "$name"); do
    # The first byte of a trace fuzzer's input chooses the options.
    case "$name" in
      machine | core_costs | problems | plan_grid | tuned | results | loops | matrix | npy | compressed)
        cp "$seed" "$corpus" ;;
      *) (printf '\0' && cat "$seed") >"$corpus/$(basename "$seed")" ;;
    esac
  done
  echo "fuzz_$name, $seconds s" >&2
  nice -n 19 "$build/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -max_len=16384 -print_final_stats=1 -artifact_prefix="$corpus-finding-" "$corpus" \
    >"$corpus.log" 2>&1 || { tail -40 "$corpus.log" >&2; exit 1; }
  grep -E 'stat::number_of_executed_units|cov:' "$corpus.log" | tail -2 >&2
done
