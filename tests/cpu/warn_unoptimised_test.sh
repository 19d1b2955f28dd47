#!/usr/bin/env bash
# Tests that a header of kernels warns once when it is compiled without optimisation, as an installed
# header too, and without an error under -Werror; and never with optimisation, or when silenced. usage:
# warn_unoptimised_test.sh SOURCE_DIR INCLUDE_DIR CXX_COMPILER
set -euo pipefail
source_dir=$1 include_dir=$2 compiler=$3
readonly headers=(choose gather histogram multireduce multiscan multitag partial_sort reduce_axes scatter segmented)
readonly strict=(-std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror)

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# check TIMES HEADER COMPILER_OPTION…: compiles HEADER and expects the warning TIMES times and no other
# output.
check() {
  local found
  found=$(printf '#include <presort/cpu/%s.h>\n' "$2" |
    "$compiler" "${strict[@]}" "${@:3}" -x c++ - 2>&1) || fail "$*: $found"
  [ "$(grep -cE '(note|warning): .*presort: ten times slower without -O2' <<<"$found" || true)" -eq "$1" ] ||
    fail "$*: $found"
  [ "$1" -ne 0 ] || [ -z "$found" ] || fail "$*: $found"
}

installed=(-isystem "$source_dir" -isystem "$include_dir")
for header in "${headers[@]}"; do
  check 1 "$header" "${installed[@]}"
done
check 1 choose -I "$source_dir" -I "$include_dir"
check 0 choose "${installed[@]}" -O1
check 0 choose "${installed[@]}" -Og
check 0 choose "${installed[@]}" -DPRESORT_ALLOW_UNOPTIMISED
check 0 choose -I "$source_dir" -I "$include_dir" -O2
