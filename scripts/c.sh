#!/usr/bin/env bash
# Builds libpresort.so, the library for programs in C, and runs its tests: calls of every function,
# exported symbols, a program that finds the library by pkg-config, and the page of the documents about
# it.
usage="usage: scripts/c.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

case "${1:-}" in
  "") ;;
  -h | --help)
    echo "$usage"
    exit 0
    ;;
  *) die $kExitUsage "found '$1'; $usage" ;;
esac

install_packages "${kPackages[@]}" python3
build=build-c
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPRESORT_COMMAND=OFF -DPRESORT_IO=ON \
  -DPRESORT_C=ON -DPRESORT_CUDA=off -DPRESORT_UNITY=ON >&2
cmake --build "$build" >&2
ctest --test-dir "$build" --output-on-failure -R '^c_'
python3 tests/docs/run_page.py docs/how-to/c.md --source . --build "$build"
