#!/usr/bin/env bash
# Has the compiler kept what fetches the simulator's own arrays early? gcc 12 once removed most of it
# without a warning (presort/core/base/prefetch.h), and random accesses were counted half as fast.
# Each function that counts many accesses must have a prefetch instruction, or call a function of an
# array that prefetches. Only on x86-64, with objdump.
# usage: host_prefetch_test.sh PROGRAM        (an optimised program with the simulator)
set -euo pipefail
if [ $# -ne 1 ]; then
  echo "usage: host_prefetch_test.sh PROGRAM" >&2
  exit 2
fi
if [ "$(uname -m)" != x86_64 ] || ! command -v objdump >/dev/null; then
  echo "host_prefetch_test: no objdump for x86-64 here; nothing is tested"
  exit 0
fi
objdump --disassemble --no-show-raw-insn --demangle "$1" | awk '
  /^[0-9a-f]+ </ { name = $0 }
  /\tprefetch|(call|jmp) .*(CacheArray|RecencySets|TaggedSets)::prefetch/ { fetches[name] = 1 }
  name ~ /LastLevel::warm|::second_pass</ { counts[name] = 1 }
  END {
    for (name in counts) {
      ++functions
      if (!(name in fetches)) {
        ++without
        print "host_prefetch_test: no prefetch in " name
      }
    }
    if (functions < 2) {
      print "host_prefetch_test: found " functions + 0 " functions that count, expected two or more"
      exit 1
    }
    print functions " functions, " without + 0 " of them without a prefetch"
    exit without > 0
  }'
