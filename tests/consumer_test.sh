#!/usr/bin/env bash
# Installs the build, then builds and runs the README's own C++ examples as a project of its own.
# usage: consumer_test.sh SOURCE_DIR BUILD_DIR CMAKE
set -euo pipefail
source_dir=$1 build_dir=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# block LANGUAGE NUMBER: that block of the language after the heading "In C++", from 1 on.
block() {
  sed -n '/^## In C++/,/^## How/p' "$source_dir/README.md" |
    awk -v start="\`\`\`$1" -v number="$2" \
      '/^```/ {inside = !inside && $0 == start && ++seen == number; next} inside'
}

"$cmake" --install "$build_dir" --prefix "$work/prefix" >/dev/null
mkdir "$work/project"
block cmake 1 >"$work/project/CMakeLists.txt"
block cpp 1 >"$work/project/group_by.cpp"
block cpp 2 >"$work/project/chosen.cpp"
block cpp 3 >"$work/project/orders.cpp"
[ -s "$work/project/CMakeLists.txt" ] && [ -s "$work/project/group_by.cpp" ] &&
  [ -s "$work/project/chosen.cpp" ] && [ -s "$work/project/orders.cpp" ] ||
  fail "the README lacks an example in C++"
printf 'add_executable(chosen chosen.cpp)\ntarget_link_libraries(chosen PRIVATE presort::cpu presort::io)\n' \
  >>"$work/project/CMakeLists.txt"
printf 'add_executable(orders orders.cpp)\ntarget_link_libraries(orders PRIVATE presort::cpu)\n' \
  >>"$work/project/CMakeLists.txt"
configure() { "$cmake" -S "$work/project" -B "$work/$1" -DCMAKE_PREFIX_PATH="$work/prefix" "${@:2}"; }
configure build >/dev/null
"$cmake" --build "$work/build" &>"$work/build.txt" || {
  cat "$work/build.txt" >&2
  fail "the README's example does not build"
}

# README's example is optimised; without that, the installed headers say so.
slow="presort: ten times slower without -O2"
! grep "$slow" "$work/build.txt" || fail "the README's example is not optimised"
configure debug -DCMAKE_BUILD_TYPE=Debug >/dev/null
"$cmake" --build "$work/debug" --target orders &>"$work/debug.txt" || fail "no build without optimisation"
grep -q "$slow" "$work/debug.txt" || fail "nothing is said of a build without optimisation"

found=$("$work/build/group_by")
[[ $found == "sortBits=9,"*": 16 inputs in bucket 0" ]] || fail "without a file: $found"
tuned=$work/tuned.yaml
sed "s/isa: generic/isa: $(uname -m)/" "$source_dir/tests/io/valid/tuned.yaml" >"$tuned"
found=$("$work/build/group_by" "$tuned")
[[ $found == "sortBits=9,"*": 16 inputs in bucket 0" ]] || fail "with a tuned file: $found"

found=$("$work/build/group_by" "$source_dir/tests/io/valid/tuned.yaml" 2>&1) &&
  fail "a tuned file of another machine is taken: $found"
[[ $found == *"is of another machine: isa: the file has generic, here it is "* ]] ||
  fail "a tuned file of another machine: $found"

found=$("$work/build/chosen")
[[ $found == "multireduce n=2^20 m=2^16 "*", chosen by rule: 16 inputs in bucket 0" ]] ||
  fail "a chosen plan without a file: $found"
found=$("$work/build/chosen" "$source_dir/tests/io/valid/tuned.yaml")
[[ $found == *": 16 inputs in bucket 0" ]] || fail "a chosen plan with a tuned file: $found"

found=$("$work/build/orders" | tail -n 2)
[[ $found == "customer 3, 2 before, pays 3.00"*"customer 0, 0 before, pays 3.00" ]] ||
  fail "the example of orders: $found"

# The installed command finds the installed machines.
found=$("$work/prefix/bin/presort" machines)
[[ $found == *core2-t7300* ]] || fail "no machines after installation"

# The tuner as a library.
"$cmake" -S "$source_dir/tests/consumer/tuner" -B "$work/tuner" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$work/tuner" >/dev/null || fail "a program of the tuner does not build"
found=$("$work/tuner/tuner" "$source_dir/configs/machines/golden-cove-vm.yaml")
[[ $found == sortBits=* ]] || fail "a program of the tuner: $found"

if configure no -DCMAKE_PREFIX_PATH="$work/nowhere" &>/dev/null; then
  fail "the project was configured without presort"
fi

# README's way without an installation, with the source that is here.
block cmake 2 >"$work/fetch.txt"
[ -s "$work/fetch.txt" ] || fail "the README lacks an example of FetchContent"
sed -i -e "/^find_package/r $work/fetch.txt" -e '/^find_package/d' "$work/project/CMakeLists.txt"
configure fetched -DCMAKE_DISABLE_FIND_PACKAGE_presort=ON \
  -DFETCHCONTENT_SOURCE_DIR_PRESORT="$source_dir" >/dev/null ||
  fail "the README's example of FetchContent is not configured"
