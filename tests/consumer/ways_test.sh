#!/usr/bin/env bash
# Builds and runs a project that uses the kernels alone, where no other library is found: installed,
# as a subdirectory and by FetchContent with Ninja, as a subdirectory with Unix Makefiles. All paths have spaces,
# and the folder of the source is not called presort.
# usage: ways_test.sh SOURCE_DIR CMAKE CXX_COMPILER
set -euo pipefail
source_dir=$1 cmake=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
readonly copy="$work/checked out here" prefix="$work/pre fix" built="$work/kernels alone"

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# Without optimisation: the programs are small, the compiler takes a third of the time.
readonly common=(
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0
  -DPRESORT_UNITY=ON
)
nothing_else=()
for package in Boost CUDAToolkit Eigen3 LibLZMA ZLIB doctest fmt nlohmann_json yaml-cpp; do
  nothing_else+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done

run() {  # run WHAT COMMAND…: its output is shown when it fails, and is in $log
  log=$work/log.txt
  "${@:2}" >"$log" 2>&1 || {
    cat "$log" >&2
    fail "$1"
  }
}

state_of_copy() { (cd "$copy" && find . -printf '%p %s %T@\n' | sort); }

mkdir "$copy"
for entry in CMakeLists.txt cmake presort bench configs fuzz tests; do
  cp -R "$source_dir/$entry" "$copy/"
done
before=$(state_of_copy)

run "the kernels alone are not configured" \
  "$cmake" -S "$copy" -B "$built" -G Ninja "${common[@]}" "${nothing_else[@]}" -DPRESORT_COMMAND=OFF
run "the kernels alone do not build" "$cmake" --build "$built"
run "the kernels alone are not installed" "$cmake" --install "$built" --prefix "$prefix"
found=$(cd "$prefix" && find . -mindepth 1 -maxdepth 3 -type d | sort | tr '\n' ' ')
[[ $found == "./include ./include/presort ./include/presort/core ./include/presort/cpu \
./include/presort/gpu ./lib ./lib/cmake ./lib/cmake/presort " ]] || fail "installed folders: $found"
if grep -rnE '#include <(boost|Eigen|fmt|hwloc|lzma|nlohmann|yaml-cpp|zlib|zstd)' "$prefix/include"; then
  fail "an installed header includes another library's"
fi

# Refusals that say what to do.
refuse() {  # refuse TEXT CMAKE_OPTION…
  if "$cmake" -B "$work/refused" "${common[@]}" "${@:2}" >"$work/log.txt" 2>&1; then
    fail "configured, instead of: $1"
  fi
  # CMake breaks lines and indents them.
  found=$(tr -s ' \n' ' ' <"$work/log.txt")
  [[ $found == *"$1"* ]] || fail "not '$1' but: $found"
  rm -rf "$work/refused"
}
installed=(-S "$source_dir/tests/consumer" -DWAY=installed -DCMAKE_PREFIX_PATH="$prefix")
refuse "presort was installed without the component 'io'" "${installed[@]}" -DCOMPONENTS=io
refuse "presort has no component 'GPU'; accepted: io, tuner, external, gpu" "${installed[@]}" -DCOMPONENTS=GPU
refuse "apt-get install libboost-program-options-dev libfmt-dev libyaml-cpp-dev \
nlohmann-json3-dev zlib1g-dev libeigen3-dev liblzma-dev The kernels need none of them: \
-DPRESORT_COMMAND=OFF" -S "$copy" -G Ninja "${nothing_else[@]}"
refuse "presort::io needs libraries that were not found. On Debian: apt-get install libyaml-cpp-dev" \
  -S "$copy" -G Ninja "${nothing_else[@]}" -DPRESORT_COMMAND=OFF -DPRESORT_IO=ON

for each in Ninja/installed Ninja/subdirectory Ninja/fetch "Unix Makefiles/subdirectory"; do
  generator=${each%/*} way=${each#*/}
  case $way in
    installed) place=(-DCMAKE_PREFIX_PATH="$prefix") ;;
    subdirectory) place=(-DPRESORT_SOURCE="$copy") ;;
    fetch) place=(-DFETCHCONTENT_SOURCE_DIR_PRESORT="$copy") ;;
  esac
  build="$work/$way, $generator"
  run "$way, $generator: not configured" "$cmake" -S "$source_dir/tests/consumer" -B "$build" \
    -G "$generator" "${common[@]}" "${nothing_else[@]}" -DWAY=$way "${place[@]}"
  run "$way, $generator: not built" "$cmake" --build "$build" --parallel 2
  [ "$(grep -c 'presort: ten times slower' "$log")" -ge 1 ] ||
    fail "$way, $generator: no warning of a build without optimisation"
  found=$("$build/programs/kernels") || fail "$way, $generator: $found"
  [ "$found" = right ] || fail "$way, $generator: $found"
  # presort's own tests and rules for installation are not part of the project's.
  found=$(ctest --test-dir "$build" -N | tail -n 1)
  [ "$found" = "Total Tests: 1" ] || fail "$way, $generator: $found"
  run "$way, $generator: not installed" "$cmake" --install "$build" --prefix "$work/nothing"
  [ ! -e "$work/nothing" ] || fail "$way, $generator: presort is installed along"
done

[ "$(state_of_copy)" = "$before" ] || fail "a build has changed the source folder"
