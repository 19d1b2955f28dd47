#!/usr/bin/env bash
# Is the simulator as fast as it was? Counts the instructions that this tree and an earlier one need for
# the same accesses (bench/speed/pattern_speed) and for the direct loop with its tracing
# (bench/speed/simulation_speed), and fails where one needs over 10 % more.
# Instructions under callgrind, not time: they are the same whatever else the machine does, and a
# slower simulator has so far always been one with more of them. Misses of the host's caches are not seen.
# usage: speed_gate.sh [REVISION]: default HEAD^
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

readonly kMachine=configs/machines/cascade-lake-vm.yaml
readonly kLog2=16  # accesses, after as many to warm
readonly kLog2Inputs=13  # inputs of the direct loop, after as many to warm
readonly kMostPercent=110

if ! revision=$(git rev-parse --quiet --verify "${1:-HEAD^}^{commit}"); then
  echo "speed_gate: there is no ${1:-HEAD^}; nothing to compare with"
  exit 0
fi
work=$(mktemp -d)
trap 'git worktree remove --force "$work/before" 2>/dev/null || true; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/before" "$revision"

# Configured as scripts/lib/common.sh configures the command, so that objects of this tree can be
# reused.
build() {  # build TREE FOLDER
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPRESORT_UNITY=ON "${@:3}" >&2
  cmake --build "$2" --target pattern_speed simulation_speed >&2
}

instructions() {  # instructions FUNCTION PROGRAM ARGUMENT…
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="*$1*" \
    "$2" "$kMachine" "${@:3}" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

slower=0
compare() {  # compare NAME LOG2 FUNCTION PROGRAM ARGUMENT…: a row of the table
  local before now
  before=$(instructions "$3" "$work/before-build/$4" "${@:5}")
  now=$(instructions "$3" "$kBuildDir/$4" "${@:5}")
  if [ "${before:-0}" -eq 0 ] || [ "${now:-0}" -eq 0 ]; then
    echo "speed_gate: $4 has no function $3, or collects nothing" >&2
    exit 2
  fi
  printf '| %s | %s | %s | %s | %s %% |\n' "$1" "$3" $((before >> $2)) $((now >> $2)) \
    $((now * 100 / before))
  [ $((now * 100)) -le $((before * kMostPercent)) ] || slower=1
}

build . "$kBuildDir"
if ! grep -qs 'pattern=NAME' "$work"/before/bench/{,speed/}pattern_speed.cpp; then
  echo "speed_gate: $revision has no patterns by name; nothing to compare with"
  exit 0
fi
build "$work/before" "$work/before-build" -DPRESORT_CUDA=off -DPRESORT_TESTS=off

printf '| pattern | | before | now | now / before |\n| --- | --- | --- | --- | --- |\n'
for pattern in hot streaming random-2M random-4K direct; do
  for function in count_all time_all; do
    compare $pattern $kLog2 $function pattern_speed "log2=$kLog2" "pattern=$pattern"
  done
done
# Revisions that time a fixed number of inputs would take minutes here.
if grep -qs 'log2=K' "$work"/before/bench/speed/simulation_speed.cpp; then
  compare "traced loop" $kLog2Inputs time_direct simulation_speed 20 "log2=$kLog2Inputs"
fi
if [ $slower -ne 0 ]; then
  echo "speed_gate: one needs over $((kMostPercent - 100)) % more instructions than at $revision" >&2
  exit 1
fi
