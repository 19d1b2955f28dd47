#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) on the C++ files that differ from a commit, in the working tree: a file
# takes 5 to 30 s, all of them hours.
usage="usage: scripts/tidy.sh [--most N] [BASE]
  --most N  N files at most, those with the most new lines
  BASE      a commit; without it the last one that main has too, on main itself the commit before"
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# Prints the commit to compare the working tree with, or nothing if the clone has only HEAD.
find_base() {
  local main base
  for main in origin/main main; do
    if base=$(git merge-base HEAD "$main" 2>/dev/null) && [ "$base" != "$(git rev-parse HEAD)" ]; then
      echo "$base"
      return
    fi
  done
  git rev-parse --verify --quiet HEAD~1 || true
}

# Prints the files that differ from $1, those with the most new lines first: without fuzzers and files
# that only a GPU's compiler reads.
find_changed() {
  git diff --numstat --no-renames --diff-filter=d "$1" -- 'presort/*.cpp' 'presort/*.h' \
    'tests/*.cpp' 'tests/*.h' 'bench/*.cpp' 'bench/*.h' ':!presort/gpu/*.h' ':!tests/gpu' |
    sort -rn | cut -f 3
}

most=1000000
base=
while [ $# -gt 0 ]; do
  case "$1" in
    --most)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || die $kExitUsage "--most: found '${2:-}', accepted: a number; $usage"
      most=$2
      shift
      ;;
    -h | --help)
      echo "$usage"
      exit 0
      ;;
    -*) die $kExitUsage "found '$1', accepted: --most; $usage" ;;
    *)
      base=$(git rev-parse --verify --quiet "$1^{commit}") ||
        die $kExitUsage "BASE: found '$1', accepted: a commit of this clone; $usage"
      ;;
  esac
  shift
done
[ -n "$base" ] || base=$(find_base)
if [ -z "$base" ]; then
  echo "clang-tidy: this clone has one commit and nothing to compare it with: nothing is checked" >&2
  exit 0
fi
mapfile -t changed < <(find_changed "$base")
if [ ${#changed[@]} -eq 0 ]; then
  echo "clang-tidy: no file differs from ${base:0:12}" >&2
  exit 0
fi

install_packages "${kPackages[@]}" "${kTestPackages[@]}" clang-tidy
# Makes compile_commands.json, which lists how each source is compiled; nothing is built.
build=build-tidy
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPRESORT_CUDA=off >/dev/null
sed -i 's/ -fno-ipa-ra / /' "$build/compile_commands.json"  # an option that clang does not know
compiled=()
for file in "${changed[@]}"; do
  if [[ $file == *.h ]] || grep -qF "\"file\": \"$PWD/$file\"" "$build/compile_commands.json"; then
    compiled+=("$file")
  fi
done
checked=("${compiled[@]:0:most}")
echo "clang-tidy: ${#checked[@]} of ${#changed[@]} files that differ from ${base:0:12}" >&2
[ ${#checked[@]} -eq 0 ] ||
  printf '%s\0' "${checked[@]}" | xargs -0 -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet
