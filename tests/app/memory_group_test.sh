#!/usr/bin/env bash
# Runs presort in a control group with little memory: it exits with 3, or finishes, but is never
# killed. Where no group can be made (only root may, and not in every container) the test is
# skipped: exit 77.
# usage: memory_group_test.sh PRESORT
set -uo pipefail
presort=$(realpath "$1")
skipped=77
limit=$((200 << 20))  # bytes

mount_of() {  # TYPE OPTION: where a control group file system with the option is mounted
  awk -v type="$1" -v option="$2" '$3 == type && ("," $4 ",") ~ ("," option ",") {print $2; exit}' /proc/mounts
}
one=$(mount_of cgroup memory)
two=$(mount_of cgroup2 rw)
if [ -n "$one" ]; then
  group=$one/presort-test-$$
  limit_file=memory.limit_in_bytes
elif [ -n "$two" ]; then
  group=$two/presort-test-$$
  limit_file=memory.max
else
  exit $skipped
fi
mkdir "$group" 2>/dev/null || exit $skipped
trap 'rmdir "$group"' EXIT
{ echo $limit >"$group/$limit_file"; } 2>/dev/null || exit $skipped
(echo $BASHPID >"$group/cgroup.procs") 2>/dev/null || exit $skipped

failures=0
fail() {
  echo "FAILED: $1" >&2
  failures=$((failures + 1))
}

said=$(mktemp)
trap 'rmdir "$group"; rm -f "$said"' EXIT
# in_group WORDS…: runs presort with these words in the control group.
in_group() { (echo $BASHPID >"$group/cgroup.procs" && exec "$presort" "$@") >/dev/null 2>"$said"; }

in_group run -n 2^20 -b 2^10 --reps 1 || fail "a run that fits: exit $?"
in_group run -n 2^26 -b 2^10 --reps 1
found=$?
[ $found -eq 3 ] || fail "a run that does not fit: exit $found, expected 3"
grep -q 'not enough memory: needed 5[0-9.]*MiB, available [0-9.]*[KM]iB' "$said" ||
  fail "a run that does not fit says: $(cat "$said")"
# Runs at 70 to 101 % of the memory limit, at 8 bytes for each input, are done or refused.
refused=0
for percent in 70 80 85 90 92 94 96 98 99 100 101; do
  for pages in 4KiB 2MiB; do
    in_group run -n $((limit / 8 * percent / 100)) -b 2^10 --plan pageSize=$pages --reps 1
    found=$?
    [ $found -eq 0 ] || [ $found -eq 3 ] || fail "a run of $percent % of the limit: exit $found"
    [ $found -ne 3 ] || refused=$((refused + 1))
  done
done
[ $refused -gt 0 ] || fail "no run is refused at the limit"
[ "$failures" -eq 0 ]
