#!/usr/bin/env bash
# The shared library shows the functions of its header, and nothing of what it is made of.
# usage: symbols_test.sh LIBRARY HEADER
set -euo pipefail
shown=$(nm --dynamic --defined-only "$1" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | sort)
declared=$(grep -oE '\bpresort_[a-z_]+\(' "$2" | tr -d '(' | sort -u)
if [ "$shown" != "$declared" ]; then
  diff <(echo "$declared") <(echo "$shown") >&2 || true
  echo "FAILED: declared (<) and shown (>) differ" >&2
  exit 1
fi
