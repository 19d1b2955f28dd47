#!/usr/bin/env bash
# Compiles with clang, with warnings as errors. With the least version that docs/how-to/cpp.md
# promises: a user's program that calls every operation, which is run. With a version whose warnings
# are newer: each public header alone, and sources of the command one by one, which shows missing
# #includes and makes no objects.
usage="usage: scripts/clang.sh [--all]
  (default)  an eighth of the sources one by one, another one for each tree of git
  --all      all of them: about ten minutes of one core"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

parts=8
case "${1:-}" in
  "") ;;
  --all) parts=1 ;;
  -h | --help)
    echo "$usage"
    exit 0
    ;;
  *) die $kExitUsage "found '$1', accepted: --all; $usage" ;;
esac

readonly kLeast=15 kNewer=19
install_packages "${kPackages[@]}" clang-$kLeast clang-$kNewer

build=build-clang-$kLeast
cmake -S tests/consumer -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="clang++-$kLeast" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra" \
  -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DWAY=subdirectory -DPRESORT_SOURCE="$PWD" \
  -DPRESORT_IO=ON -DPRESORT_TUNER=ON -DPRESORT_UNITY=ON >&2
cmake --build "$build" >&2
[ "$("$build/programs/kernels")" = right ] || die 1 "clang $kLeast: a kernel is wrong"

tests/headers_alone_test.sh . clang++-$kNewer >&2
build=build-clang-$kNewer
cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="clang++-$kNewer" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DPRESORT_CUDA=off -DPRESORT_TESTS=OFF >&2
# Commands that compile the sources of presort/ and bench/, one a line; without --all, every eighth
# source. No other check compiles all of bench/.
tree=$(git rev-parse "HEAD^{tree}")
commands=$(sed -n 's#^  "command": "\(.*/\(presort\|bench\)/[^ ]*\.cpp\)",$#\1 -fsyntax-only#p' \
  "$build/compile_commands.json" | sed 's/\\"/"/g; s/\\\\/\\/g' |
  awk -v parts="$parts" -v part=$((16#${tree:0:4} % parts)) 'NR % parts == part')
echo "clang $kNewer: checking $(wc -l <<<"$commands") sources" >&2
xargs -d '\n' -P "$(nproc)" -n 1 bash -c <<<"$commands"
