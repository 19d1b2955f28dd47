#!/usr/bin/env bash
# Installs the build, moves it, and builds a program in C that finds it by pkg-config.
# usage: pkg_config_test.sh SOURCE_DIR BUILD_DIR CMAKE
set -euo pipefail
source_dir=$1 build_dir=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build_dir" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
folder=$(dirname "$(find "$work/moved" -name presort.pc)")
export PKG_CONFIG_PATH=$folder
[ "$(pkg-config --modversion presort)" = 0.1.0 ]
# shellcheck disable=SC2046
cc -std=c99 -Wall -Wextra -Werror "$source_dir/tests/c/example.c" $(pkg-config --cflags --libs presort) \
  -o "$work/example"
found=$(LD_LIBRARY_PATH=$(pkg-config --variable=libdir presort) "$work/example")
[ "$found" = "0 6 4; label 3 at index 1 is not below the number of buckets, 3" ] || {
  echo "FAILED: $found" >&2
  exit 1
}
