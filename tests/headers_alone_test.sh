#!/usr/bin/env bash
# Does each public header compile alone, without a warning? Left out are the headers that need CUDA or
# nlohmann's JSON library. scripts/clang.sh asks clang++, ctest the compiler of the build.
# usage: headers_alone_test.sh ROOT COMPILER
set -euo pipefail
cd "$1"
compiler=$2

headers() {
  local folder
  for folder in presort/core presort/io presort/gpu/plan; do
    [ ! -d "$folder" ] || find "$folder" -name '*.h' -not -path 'presort/io/json/*'
  done
  [ ! -d presort/cpu ] || find presort/cpu -maxdepth 1 -name '*.h'
  find presort -maxdepth 1 -name '*.h'
}

# With clang, not with g++, -Wconversion is -Wsign-conversion too.
compile() {  # compile COMPILER HEADER
  echo "#include \"$2\"" |
    "$1" -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion \
      -Wshadow -Werror -DPRESORT_ALLOW_UNOPTIMISED -I. -
}
export -f compile

mapfile -t public < <(headers | sort)
if [ ${#public[@]} -eq 0 ]; then
  echo "no header was found: nothing is tested" >&2
  exit 1
fi
printf "$compiler %s\n" "${public[@]}" | xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' compile
echo "${#public[@]} headers compile alone, with $compiler"
