#!/usr/bin/env bash
# From a fresh checkout to a report: installs missing packages, builds the command, measures this machine,
# tunes for it, runs the plans and compares them with the predictions. Results are in out/.
usage="usage: scripts/quickstart.sh [--quick|--full]
  (default)  a few minutes on two cores
  --quick    fewer bucket counts and plans; a minute and a half once it is built
  --full     the large grid with n = 2^26 inputs; about half an hour"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

size=default
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) size=quick ;;
    --full) size=full ;;
    -h | --help)
      echo "$usage"
      exit 0
      ;;
    *) die $kExitUsage "unknown option '$1'; $usage" ;;
  esac
  shift
done

probe_options=()
validate_options=(--quick)
case $size in
  quick)
    probe_options=(--quick)
    grid=configs/grids/quick.yaml
    tune_options=(-n 2^24 -b 2^12,2^20,2^24,2^28 --plans "$grid")
    ;;
  default)
    tune_options=(-n 2^24 -b 2^10,2^14,2^18..2^28)
    grid=configs/grids/standard.yaml
    ;;
  full)
    tune_options=(-n 2^26 -b 2^10..2^28)
    grid=configs/grids/full.yaml
    validate_options=(--reps 8)
    ;;
esac

install_packages "${kPackages[@]}"
build_command Release "$(decide_cuda auto)"

out=out
presort=$kBuildDir/presort
mkdir -p "$out"
"$presort" probe "${probe_options[@]}" -o "$out/machine.yaml" >"$out/probe.txt"
"$presort" tune -m "$out/machine.yaml" --op multireduce,scatter --dist uniform --type u32+u32 \
  "${tune_options[@]}" -o "$out/tuned.yaml" >"$out/tune.txt"
"$presort" validate -m "$out/machine.yaml" --tuned "$out/tuned.yaml" --grid "$grid" \
  "${validate_options[@]}" -o "$out" >"$out/validate.txt"
cat "$out/summary.txt"
