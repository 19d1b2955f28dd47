#!/usr/bin/env bash
# Builds with clang the libraries and a user's program that calls every operation, and runs it: with
# the least version that docs/how-to/cpp.md promises, and with one whose warnings are newer. Warnings
# are errors.
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

versions=(15 19)
install_packages "${kPackages[@]}" "${versions[@]/#/clang-}"
for version in "${versions[@]}"; do
  build=build-clang-$version
  cmake -S tests/consumer -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="clang++-$version" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra" \
    -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DWAY=subdirectory -DPRESORT_SOURCE="$PWD" \
    -DPRESORT_IO=ON -DPRESORT_TUNER=ON -DPRESORT_UNITY=ON >&2
  cmake --build "$build" >&2
  [ "$("$build/programs/kernels")" = right ] || die 1 "clang $version: a kernel is wrong"
done
