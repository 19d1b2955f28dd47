#!/usr/bin/env bash
# Builds a fast part of the tests with sanitizers and runs it (tests/sanitized/CMakeLists.txt says which).
# All tests: cmake --preset asan, or tsan; then cmake --build and ctest with the same preset.
usage="usage: scripts/sanitize.sh asan|tsan [ARGUMENT OF THE TESTS...]
  asan  addresses and undefined behaviour: readers, kernels at the ends of their arrays
  tsan  data races: teams of threads, kernels on several threads, simulations side by side"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

selection=()
case "${1:-}" in
  asan) preset=asan ;;
  tsan)
    preset=tsan
    # Leaves out the test cases that take as long as all others together, but not those of a multireduce.
    selection=(-tce="operations on inputs of more shares*")
    ;;
  -h | --help)
    echo "$usage"
    exit 0
    ;;
  *) die $kExitUsage "found '${1:-}', accepted: asan, tsan; $usage" ;;
esac
shift

install_packages "${kPackages[@]}" "${kTestPackages[@]}"
cmake --preset "$preset" -DPRESORT_UNITY=ON >&2
cmake --build "build-$preset" --target "${preset}_test" >&2
UBSAN_OPTIONS=print_stacktrace=1 "build-$preset/${preset}_test" "${selection[@]}" "$@"
