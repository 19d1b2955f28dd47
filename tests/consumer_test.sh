#!/usr/bin/env bash
# Installs the build, then builds and runs the C++ examples of docs/how-to/cpp.md as a project of its own.
# usage: consumer_test.sh SOURCE_DIR BUILD_DIR CMAKE
set -euo pipefail
source_dir=$1 build_dir=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# block FILE: the block of docs/how-to/cpp.md that is for this file of the project.
block() {
  awk -v name="file=group_by/$1" '/^```/ {inside = $2 == name; next} inside' \
    "$source_dir/docs/how-to/cpp.md"
}

"$cmake" --install "$build_dir" --prefix "$work/prefix" >/dev/null
mkdir "$work/project"
for file in CMakeLists.txt group_by.cpp chosen.cpp orders.cpp; do
  block "$file" >"$work/project/$file"
  [ -s "$work/project/$file" ] || fail "docs/how-to/cpp.md lacks $file"
done
configure() { "$cmake" -S "$work/project" -B "$work/$1" -DCMAKE_PREFIX_PATH="$work/prefix" "${@:2}"; }
configure build >/dev/null
"$cmake" --build "$work/build" &>"$work/build.txt" || {
  cat "$work/build.txt" >&2
  fail "the example does not build"
}

# The example is optimised; without that, the installed headers say so.
slow="presort: ten times slower without -O2"
! grep "$slow" "$work/build.txt" || fail "the example is not optimised"
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

# Operations on files as a library.
"$cmake" -S "$source_dir/tests/consumer/files" -B "$work/files" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$work/files" >/dev/null || fail "a program for files does not build"
printf '\1\0\0\0\3\0\0\0\1\0\0\0' >"$work/labels.u32"
"$work/files/files" "$work/labels.u32" "$work/counts.u32" 4 || fail "a program for files fails"
found=$(od -An -tu4 "$work/counts.u32" | tr -s ' ')
[[ $found == " 0 2 0 1" ]] || fail "a program for files: $found"

if configure no -DCMAKE_PREFIX_PATH="$work/nowhere" &>/dev/null; then
  fail "the project was configured without presort"
fi

# The way without an installation, with the source that is here.
block fetch.cmake >"$work/fetch.txt"
[ -s "$work/fetch.txt" ] || fail "docs/how-to/cpp.md lacks an example of FetchContent"
sed -i -e "/^find_package/r $work/fetch.txt" -e '/^find_package/d' "$work/project/CMakeLists.txt"
configure fetched -DCMAKE_DISABLE_FIND_PACKAGE_presort=ON \
  -DFETCHCONTENT_SOURCE_DIR_PRESORT="$source_dir" >/dev/null ||
  fail "the example of FetchContent is not configured"
