#!/usr/bin/env bash
# presort run --memory: results, exit codes, a device that fills, an end at any time.
# usage: run_files_test.sh PRESORT
set -uo pipefail
presort=$(realpath "$1")
folder=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$folder/full"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
check() {  # check NAME COMMAND…
  local name=$1
  shift
  if ! "$@" >stdout.txt 2>stderr.txt; then
    echo "FAILED: $name" >&2
    cat stdout.txt stderr.txt >&2
    failures=$((failures + 1))
  fi
}
expect() {  # expect CODE TEXT COMMAND…: exit code, and words of the message
  local code=$1 text=$2
  shift 2
  "$@" >stdout.txt 2>stderr.txt
  local found=$?
  if [ "$found" -ne "$code" ] || ! grep -qF -- "$text" stderr.txt; then
    echo "FAILED: exit code $found, not $code with '$text': $*" >&2
    cat stderr.txt >&2
    failures=$((failures + 1))
  fi
}

# Labels 0, 7, 14, … modulo 2^16, and the same numbers as values: each bucket k gets k times its count
python3 - <<'END'
import array
n = 1 << 20
labels = array.array('I', ((7 * i) & 0xffff for i in range(n)))
labels.tofile(open('l.u32', 'wb'))
labels.tofile(open('v.u32', 'wb'))
array.array('I', (16 * k for k in range(1 << 16))).tofile(open('sums.u32', 'wb'))
array.array('I', [16] * (1 << 16)).tofile(open('counts.u32', 'wb'))
END
files=(--labels l.u32 --values v.u32 -b 2^16)
# Buckets in 16 parts, and all buckets in memory
parts=(--memory 64MiB --file-plan partBits=4,block=32KiB,depth=2)
for way in parts one; do
  [ $way = one ] && way=(--memory 1GiB) || way=("${parts[@]}")
  memory=${way[*]}
  check "sums in $memory" "$presort" run "${files[@]}" "${way[@]}" -o out.u32
  check "right sums in $memory" cmp out.u32 sums.u32
  check "scatter in $memory" "$presort" run --op scatter "${files[@]}" "${way[@]}" -o table.u32
  # Bucket k has k: a gather from it gives each label itself
  check "gather in $memory" "$presort" run --op gather --labels l.u32 --values table.u32 \
    "${way[@]}" -o out.u32
  check "right results in $memory" cmp out.u32 l.u32
  check "histogram in $memory" "$presort" run --op histogram --labels l.u32 -b 2^16 \
    "${way[@]}" -o out.u32 --json
  check "right counts in $memory" cmp out.u32 counts.u32
done
# NumPy's files: elements behind a header
python3 - <<'END'
import struct
def npy(name, descr, data):
    head = ("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(data) // 4))
    head += ' ' * (118 - len(head) - 1) + '\n'
    open(name, 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + data)
data = open('l.u32', 'rb').read()
npy('l.npy', '<u4', data)
npy('v.npy', '<i4', data)
npy('f.npy', '<f4', data)
npy('table.npy', '<u4', open('table.u32', 'rb').read())
END
for way in parts one; do
  [ $way = one ] && way=(--memory 1GiB) || way=("${parts[@]}")
  check "sums of .npy files" "$presort" run --labels l.npy --values v.npy -b 2^16 "${way[@]}" -o npy.u32
  check "right sums of .npy files" cmp npy.u32 sums.u32
  check "gather from a .npy file" "$presort" run --op gather --labels l.npy --values table.npy \
    "${way[@]}" -o npy.u32
  check "right results from a .npy file" cmp npy.u32 l.u32
done
expect 2 "f.npy: descr: found floats of 4 bytes, accepted: u32" "$presort" run --labels l.npy \
  --values f.npy -b 2^16 --memory 1GiB -o npy.u32
truncate -s -4 v.npy
expect 2 "v.npy: found" "$presort" run --labels l.npy --values v.npy -b 2^16 --memory 1GiB -o npy.u32
check "by the rule" "$presort" run "${files[@]}" --memory 1MiB -o out.u32
check "right sums by the rule" cmp out.u32 sums.u32

# Bad input: the result of before stays.
cp sums.u32 kept.u32
expect 1 "label 65535 at index 37449 is not below the number of buckets, 65535" \
  "$presort" run --labels l.u32 --values v.u32 -b 65535 "${parts[@]}" -o out.u32
head -c 4194303 l.u32 >odd.u32
expect 2 "odd.u32: found 4194303 bytes, accepted: a multiple of 4" \
  "$presort" run --labels odd.u32 --values v.u32 -b 2^16 --memory 1MiB -o out.u32
head -c 4000 v.u32 >short.u32
expect 2 "short.u32: found 1000 values, accepted: 1048576, one for each label" \
  "$presort" run --labels l.u32 --values short.u32 -b 2^16 --memory 1MiB -o out.u32
expect 2 "--output is required with --memory" "$presort" run "${files[@]}" --memory 1MiB
expect 2 "--reps has no meaning with --memory" \
  "$presort" run "${files[@]}" --memory 1MiB -o out.u32 --reps 3
expect 2 "accepted on files: multireduce, scatter, gather, histogram" \
  "$presort" run --op multiscan "${files[@]}" --memory 1MiB -o out.u32
expect 2 "accepted: parts of at least 1024 buckets" \
  "$presort" run "${files[@]}" --memory 1GiB --file-plan partBits=7 -o out.u32
expect 3 "--memory: found 64KiB; enough is" \
  "$presort" run "${files[@]}" --memory 64KiB -o out.u32
check "bad input leaves the result" cmp out.u32 sums.u32

# A full device: found before the work, nothing is left.
mkdir full
if mount -t tmpfs -o size=6m tmpfs full 2>/dev/null; then
  mounted=yes
  expect 2 "No space left on device" \
    "$presort" run "${files[@]}" "${parts[@]}" -o out.u32 --spill full
  expect 2 "No space left on device" \
    "$presort" run "${files[@]}" "${parts[@]}" -o full/out.u32
  check "nothing is left on a full device" test -z "$(ls -A full)"
  check "its room is free again" test "$(df --output=used -k full | tail -1)" -lt 100
else
  echo "skipped: a full device (no tmpfs can be mounted here)"
fi

# Ends at any time: by a kill nothing but the old result is there; by a signal exit code 130, too.
mkdir ended
cp kept.u32 ended/out.u32
for delay in 0.00 0.01 0.02 0.03 0.05 0.08; do
  "$presort" run "${files[@]}" "${parts[@]}" -o ended/out.u32 >/dev/null 2>&1 &
  sleep $delay
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
  check "the result after a kill after $delay s" cmp ended/out.u32 kept.u32
  check "nothing half-written after $delay s" test "$(ls -A ended)" = out.u32
done
[ "$failures" -eq 0 ]
