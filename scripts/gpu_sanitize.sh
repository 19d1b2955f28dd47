#!/usr/bin/env bash
# Runs reduced cases of the GPU tests (suite "sanitized") under compute-sanitizer: memory, races in shared
# memory, reads of what nobody wrote. Needs a CUDA device; takes some minutes.
usage="usage: scripts/gpu_sanitize.sh [GPU_TEST] [ARGUMENT OF THE TESTS...]
  GPU_TEST  the test program [build/gpu_test]"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

help_if_asked "$@"
program=${1:-$kBuildDir/gpu_test}
shift || true
[ -x "$program" ] || die $kExitUsage "found no program $program; scripts/test.sh --cuda=on builds it; $usage"
command -v compute-sanitizer >/dev/null ||
  die $kExitEnvironment "compute-sanitizer is missing; it comes with the CUDA toolkit"
failed=0
for tool in memcheck racecheck initcheck; do
  options=()
  [ $tool != memcheck ] || options=(--leak-check full)
  step "$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 "${options[@]}" \
    "$program" -ts=sanitized "$@" || failed=1
done
[ $failed -eq 0 ] || die 1 "compute-sanitizer found something, or a test failed"
