#!/usr/bin/env bash
# Tests what the system may lack, and operations that have no buckets.
# usage: limits_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

# Tests of what the system may lack: memory, threads, devices.
expect 3 "memory" run -n 2^40 -b 4
grep -qE 'needed [0-9.]+([KMGT]iB), available [0-9.]+\1$' stderr.txt || fail "two units in one message"
[ -e /dev/nvidiactl ] || expect 3 "CUDA" run "${small[@]}" --device gpu
[ -e /dev/nvidiactl ] || expect 3 "CUDA" probe --gpu -o probed.yaml
[ -e /dev/nvidiactl ] || expect 3 "CUDA" run --op histogram -n 2^20 -b 256 --type u8+u32 --device gpu
expect 2 "found 'u16' for labels, accepted: u32, u64; a histogram on device gpu" \
  run --op histogram -n 2^20 -b 2^10 --type u16+u32
expect 2 "found 'u16' for labels, accepted: u32, u64; a histogram on device gpu" \
  tune -m "$machine" --op histogram -n 2^20 -b 2^10 --type u16+u32
expect 2 "found 'u8' for labels, accepted: u32, u64; a histogram on device gpu" \
  simulate -m "$machine" --op histogram -n 2^20 -b 2^8 --type u8+u32
expect 2 "--machine goes with --gpu" probe -m "$machine" -o probed.yaml
expect 2 "no section gpu" tune -m "$machine" "${small[@]}" --device gpu

# Operations without buckets: options that they do not take, and sizes that cannot be.
expect 2 "--buckets does not go with --op scan: a scan has no buckets" run --op scan -n 2^16 -b 4
expect 2 "dist: found 'zipf:1', accepted: uniform: a scan has no labels" run --op scan -n 2^16 --dist zipf:1
expect 2 "--shape does not go with --op scan" run --op scan -n 2^16 --shape 4x4
expect 2 "--shape: found none, needed by --op reduceAxes" run --op reduceAxes
expect 2 "--axes: found none, needed by --op reduceAxes" run --op reduceAxes --shape 4x4
expect 2 "--shape: found '4x0x2', accepted: 1 to 8 extents" run --op reduceAxes --shape 4x0x2 --axes 1
expect 2 "axes: found '3', accepted: one axis or several from 0 to 1" run --op reduceAxes --shape 4x4 --axes 3
expect 2 "--axes: found '1,1', accepted: axes" run --op reduceAxes --shape 4x4 --axes 1,1
expect 2 "-n does not go with --op reduceAxes" run --op reduceAxes --shape 4x4 --axes 1 -n 16
expect 2 "--buckets does not go with --op reduceAxes" run --op reduceAxes --shape 4x4 --axes 1 -b 4
expect 2 "op: found 'compact' on a CPU, accepted: any other" run --op compact -n 2^16
expect 2 "accepted by predictions for a CPU: any other" \
  simulate -m "$machine" --op reduceAxes --shape 64x64 --axes 1
expect 2 "accepted by predictions for a CPU: any other" \
  tune -m "$machine" --op reduceAxes --shape 64x64 --axes 1 --model-only -q
expect 2 "op: found 'compact' on a CPU" tune -m "$machine" --op compact -n 2^16 --model-only -q
expect 2 "op: found 'multireduceInOrder' on a CPU" run --op multireduceInOrder -n 2^16 -b 16
says "checked: equal to the plain loop" run --op scan -n 2^16 --check --reps 1 -q
says "reduceAxes 16x64x8 over 0,2 u32+f64" \
  run --op reduceAxes --shape 16x64x8 --axes 0,2 --type u32+f64 --check --reps 1 -q
grep -q "checked: equal" stdout.txt || fail "a reduceAxes is not checked"
if [ ! -e /dev/nvidiactl ]; then
  for words in "--op scan" "--op compact -b 3" "--op multireduceInOrder" "--op reduceAxes --shape 512x512 --axes 0"; do
    # shellcheck disable=SC2086
    expect 3 "CUDA" run $words --device gpu
  done
fi

# Work that can be done without threads or memory is done; other work is refused with exit 3.
if (ulimit -v 64000; "$presort" --version) >/dev/null 2>&1; then  # not with a sanitizer
  (ulimit -v 64000; "$presort" tune -m "$machine" -n 2^16 -b 2^8..2^14 --model-only -q) >stdout.txt 2>stderr.txt ||
    fail "tune with little address space: exit $?"
  (ulimit -v 64000; "$presort" run -n 2^26 -b 2^10) >stdout.txt 2>stderr.txt
  [ $? -eq 3 ] || fail "run beyond its address space does not exit with 3"
  grep -q 'not enough memory: needed' stderr.txt || fail "run beyond its address space does not say so"
  (ulimit -d 100000; "$presort" run -n 2^26 -b 2^10) >stdout.txt 2>stderr.txt
  [ $? -eq 3 ] || fail "run beyond its data limit does not exit with 3"
fi
rm -f refused.yaml
"$presort" tune -m "$machine" -n 2^36 -b 2^10 --model-only --measure 3 -o refused.yaml -q >stdout.txt 2>stderr.txt
[ $? -eq 3 ] || fail "timed runs that do not fit into memory do not exit with 3"
grep -q 'warning: .*n=2^36.*: no timed runs, chosen by predictions: .*not enough memory: needed' stderr.txt ||
  fail "timed runs that do not fit into memory are not named"
grep -q 'sortBits' refused.yaml || fail "what was predicted is lost when it cannot be timed"
rm -f refused.yaml

# Few inputs leave few lines of billions of buckets in the caches: nothing goes through all of them.
timeout 100 "$presort" simulate -m golden-cove-vm -n 3 -b 2147483647 --type u64+u32 \
  --dist sessions:8:0.01 --plan strategy=plainRadix,sortBits=4 >stdout.txt 2>stderr.txt ||
  fail "a simulation of three inputs into 2^31 buckets: exit $?"

end_checks
