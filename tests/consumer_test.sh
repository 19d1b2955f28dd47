#!/usr/bin/env bash
# Installs the build, then builds and runs the README's own C++ example as a project of its own.
# usage: consumer_test.sh SOURCE_DIR BUILD_DIR CMAKE
set -euo pipefail
source_dir=$1 build_dir=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# block LANGUAGE: the first block of that language after the heading "In C++".
block() {
  sed -n '/^## In C++/,/^## How/p' "$source_dir/README.md" |
    awk -v start="\`\`\`$1" '$0 == start {inside = 1; next} inside && /^```/ {exit} inside'
}

"$cmake" --install "$build_dir" --prefix "$work/prefix" >/dev/null
mkdir "$work/project"
block cmake >"$work/project/CMakeLists.txt"
block cpp >"$work/project/group_by.cpp"
[ -s "$work/project/CMakeLists.txt" ] && [ -s "$work/project/group_by.cpp" ] ||
  fail "the README has no example in C++"
"$cmake" -S "$work/project" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
"$cmake" --build "$work/build" >/dev/null || fail "the README's example does not build"

found=$("$work/build/group_by")
[[ $found == "sortBits=9,"*": 16 inputs in bucket 0" ]] || fail "without a file: $found"
found=$("$work/build/group_by" "$source_dir/tests/io/valid/tuned.yaml")
[[ $found == "sortBits=9,"*": 16 inputs in bucket 0" ]] || fail "with a tuned file: $found"

# The installed command finds the installed machines.
found=$("$work/prefix/bin/presort" machines)
[[ $found == *core2-t7300* ]] || fail "no machines after installation"

if "$cmake" -S "$work/project" -B "$work/no" -DCMAKE_PREFIX_PATH="$work/nowhere" &>/dev/null; then
  fail "the project was configured without presort"
fi
