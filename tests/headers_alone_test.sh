#!/usr/bin/env bash
# Does each public header compile alone, without a warning? With g++ and the newest clang++, those of
# the two that are installed. Left out are the headers that need CUDA or nlohmann's JSON library.
# usage: headers_alone_test.sh ROOT
set -euo pipefail
cd "$1"

headers() {
  local folder
  for folder in presort/core presort/io presort/gpu/plan; do
    [ ! -d "$folder" ] || find "$folder" -name '*.h' -not -path 'presort/io/json/*'
  done
  [ ! -d presort/cpu ] || find presort/cpu -maxdepth 1 -name '*.h'
  find presort -maxdepth 1 -name '*.h'
}

compilers() {
  local name
  if command -v g++ >/dev/null; then
    echo g++
  fi
  for name in clang++-19 clang++-15 clang++; do
    if command -v "$name" >/dev/null; then
      echo "$name"
      return
    fi
  done
}

# With clang, not with g++, -Wconversion is -Wsign-conversion too.
compile() {  # compile COMPILER HEADER
  echo "#include \"$2\"" |
    "$1" -x c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion \
      -Wshadow -Werror -DPRESORT_ALLOW_UNOPTIMISED -I. -
}
export -f compile

mapfile -t found < <(compilers)
mapfile -t public < <(headers | sort)
if [ ${#found[@]} -eq 0 ] || [ ${#public[@]} -eq 0 ]; then
  echo "${#found[@]} compilers and ${#public[@]} headers were found: nothing is tested" >&2
  exit 1
fi
for compiler in "${found[@]}"; do
  printf "$compiler %s\n" "${public[@]}"
done | xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' compile
echo "${#public[@]} headers compile alone, with ${found[*]}"
