#!/usr/bin/env bash
# The arrows of ARCHITECTURE.md, counted in #include directives.
# usage: architecture_test.sh ROOT: prints includes per arrow, fails when one goes against them.
set -euo pipefail
cd "$1/presort"

# Whom a folder may include, besides itself.
allowed() {
  case "$1" in
    core) echo "" ;;
    io | sim | cpu | gpu) echo "core" ;;
    fit) echo "core sim" ;;
    predict) echo "core sim cpu gpu" ;;
    tuner) echo "core io sim cpu gpu predict" ;;
    external) echo "core io cpu" ;;
    probe) echo "core io sim cpu predict external" ;;
    app) echo "core io sim cpu gpu fit predict tuner probe external" ;;
    arrays) echo "core io cpu" ;;
    c) echo "core arrays" ;;
  esac
}

folders="core io sim cpu gpu fit predict tuner external probe app arrays c"
wrong=0
total=0
for from in $folders; do
  [ -d "$from" ] || continue
  for to in $folders; do
    found=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cuh' --include='*.cu' "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]presort/$to/" "$from" || true)
    [ -n "$found" ] || continue
    count=$(wc -l <<<"$found")
    total=$((total + count))
    if [ "$from" != "$to" ] && ! grep -qw "$to" <<<"$(allowed "$from")"; then
      echo "against the arrows, $from must not include $to:" >&2
      echo "$found" >&2
      wrong=$((wrong + count))
    else
      echo "$from -> $to: $count"
    fi
  done
done
upward=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cuh' --include='*.cu' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"\.\./' $(for f in $folders; do [ -d "$f" ] && echo "$f"; done) || true)
if [ -n "$upward" ]; then
  echo "includes by a relative path cannot be counted:" >&2
  echo "$upward" >&2
  wrong=$((wrong + 1))
fi
# One place for standard output and one for standard error; no shell, no predictable temporary file.
printing=$(grep -rnE --include='*.h' --include='*.cpp' \
  'fmt::print\(|std::(cout|cerr|clog)|[^a-z_]f?(puts|printf)\(|fwrite\(|[^a-z_](popen|system|tmpnam|tmpfile)\(|temp_directory_path|\.dump\(' \
  app | grep -v '^app/printing/output.cpp:' || true)
if [ -n "$printing" ]; then
  echo "app/ prints through app/printing/output.h and app/printing/notes.h, and starts programs by app/plot/:" >&2
  echo "$printing" >&2
  wrong=$((wrong + 1))
fi
echo "$total includes, $wrong against the arrows"
[ "$total" -gt 0 ] && [ "$wrong" -eq 0 ]
