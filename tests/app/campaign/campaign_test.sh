#!/usr/bin/env bash
# Tests campaigns: whatever ends a run, the next start goes on, and its store is that of a run in one
# go, byte for byte.
# usage: campaign_test.sh PRESORT PRESORT_MPI|none
set -uo pipefail
presort=$(realpath "$1")
mpi=$2
data=$(realpath "$(dirname "$0")/../data")
folder=$(mktemp -d)
trap 'umount "$folder/full" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
checks=0
failures=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

check() {  # check NAME COMMAND…
  checks=$((checks + 1))
  "${@:2}" >stdout.txt 2>stderr.txt || {
    echo "FAILED: $1 (exit $?)" >&2
    cat stdout.txt stderr.txt >&2
    failures=$((failures + 1))
  }
}

# expect CODE TEXT COMMAND…: the command exits with CODE and says TEXT on stderr.
expect() {
  local code=$1 text=$2
  shift 2
  checks=$((checks + 1))
  "$@" >stdout.txt 2>stderr.txt
  local found=$?
  if [ "$found" -ne "$code" ] || ! grep -qF -- "$text" stderr.txt; then
    echo "FAILED: $*: exit $found, expected $code and '$text'" >&2
    cat stderr.txt >&2
    failures=$((failures + 1))
  fi
}

write_campaign() {  # write_campaign FILE LATENCIES
  cat >"$1" <<END
presort: campaign/1
mode: predict
machines: [rome-7742]
set:
  cpu.caches.L2.size: [512KiB, 1MiB]
  memory.latency: {from: 80, to: 120, count: $2, unit: ns}
problems: {n: 2^26, m: {from: 2^10, to: 2^28, factor: 4}}
plans: [{sortBits: 0}, {sortBits: 9}]
END
}

forget() { rm -rf sweep.journals sweep.sqlite; }
# same_store NAME: the store, or without SQLite the CSV, is that of the run in one go.
same_store() {
  "$presort" campaign export sweep.yaml -o sweep.csv >/dev/null
  check "$1: rows" cmp one.csv sweep.csv
  if [ -e one.sqlite ]; then
    "$presort" campaign merge sweep.yaml >/dev/null
    check "$1: store" cmp one.sqlite sweep.sqlite
  fi
}

write_campaign sweep.yaml 100
check "one thread" "$presort" campaign sweep.yaml -q --threads 1
"$presort" campaign export sweep.yaml -o one.csv >/dev/null
mv sweep.sqlite one.sqlite 2>/dev/null
check "4000 points" test "$(wc -l <one.csv)" -eq 4001
forget
check "two threads" "$presort" campaign sweep.yaml -q --threads 2
same_store "two threads"
check "nothing is computed twice" "$presort" campaign run sweep.yaml -q
cp stdout.txt again.txt
check "all points are found" grep -q "4000 of 4000 points, 4000 of them found" again.txt
check "a run as JSON" "$presort" campaign sweep.yaml -q --json
cp stdout.txt run.json
check "the fields of a run" grep -q '"found": 4000' run.json
check "what a run computed" grep -q '"computed": 0' run.json
check "one document alone" python3 -m json.tool run.json
check "the status as JSON" "$presort" campaign status sweep.yaml --json
cp stdout.txt status.json
check "the rows of a journal" grep -q '"rows": 4000' status.json
expect 2 "--json has no meaning with campaign export; accepted: run, status" \
  "$presort" campaign export sweep.yaml --json
forget

# Killed at several times, then gone on with.
for delay in 0.05 0.15 0.3; do
  "$presort" campaign sweep.yaml -q >/dev/null 2>&1 &
  sleep $delay
  kill -9 $! 2>/dev/null
  wait $! 2>/dev/null
done
check "status after a kill" "$presort" campaign status sweep.yaml
check "a start after kills" "$presort" campaign sweep.yaml -q
same_store "after kills"
forget

# Interrupted: what is done is kept.
"$presort" campaign sweep.yaml -q >/dev/null 2>stderr.txt &
sleep 0.3
kill -INT $!
wait $!
check "an interrupt exits with 130, or came too late" test $? -eq 130 -o -e sweep.sqlite
check "a start after an interrupt" "$presort" campaign sweep.yaml -q
same_store "after an interrupt"
forget

# Runs beside predictions.
cat >runs.yaml <<END
presort: campaign/1
mode: validate
machines: [rome-7742]
problems: {n: 2^14, m: [2^4, 2^10], op: [multireduce, gather]}
plans: [{sortBits: 0}, {sortBits: 4}]
END
check "a campaign with runs" "$presort" campaign runs.yaml -q --no-store
"$presort" campaign export runs.yaml -o runs.csv >/dev/null
check "a column of measured times" grep -q 'presorted_ns,measured_ns,gain' runs.csv
# Each row with a predicted time has a measured one, above 0.
check "a time for each prediction" awk -F, '
  NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
  { predicted = $at["direct_ns"] + $at["presorted_ns"]; measured = $at["measured_ns"] + 0 }
  (predicted > 0) != (measured > 0) { bad = 1 }
  measured > 0 { ++timed }
  END { exit bad || timed < 6 }' runs.csv
check "a report of runs" "$presort" campaign report runs.yaml
cp stdout.txt report.txt
check "errors of predictions" grep -qE 'predictions against runs: median error [0-9.]+ %' report.txt
expect 2 "--threads: found 2, accepted with mode: validate: 1, as runs disturb each other" \
  "$presort" campaign runs.yaml -q --threads 2

# Parquet: the rows of the CSV where presort was built with Arrow, a refusal elsewhere.
"$presort" campaign export runs.yaml -o runs.parquet >/dev/null 2>refused.txt
if [ $? -eq 0 ]; then
  check "a Parquet file" test "$(head -c 4 runs.parquet)$(tail -c 4 runs.parquet)" = PAR1PAR1
else
  check "Parquet is refused without Arrow" grep -q "built without Apache Arrow" refused.txt
  check "nothing is left of it" test ! -e runs.parquet
fi

# Parts of processes that know nothing of each other.
for part in 1 2 3; do
  "$presort" campaign sweep.yaml -q --shard $part/3 >/dev/null 2>stderr.txt &
done
wait
check "three parts" test "$(ls sweep.journals | wc -l)" -eq 3
same_store "three parts"

# A journal or a file that was changed.
journal=$(ls sweep.journals/* | head -1)
cp "$journal" kept
sed -i '0,/sortBits/!b;100s/0/1/' "$journal"
printf 'x' | dd of="$journal" bs=1 seek=8000 conv=notrunc 2>/dev/null
expect 2 "$journal: found bytes that were changed" "$presort" campaign sweep.yaml -q
expect 2 "$journal: found bytes that were changed" "$presort" campaign export sweep.yaml
cp kept "$journal"
sed -i 's/count: 100/count: 101/' sweep.yaml
expect 2 "rank-00000.journal: memory.latency: found" "$presort" campaign sweep.yaml -q
sed -i 's/count: 101/count: 100/' sweep.yaml
expect 2 "set.cpu.caches.L9.size" "$presort" campaign <(sed 's/L2/L9/' sweep.yaml) -q
expect 2 "accepted: run, status, merge, export, report" "$presort" campaign stat sweep.yaml
expect 2 "--shard: found 4, accepted: 1 to 3" "$presort" campaign sweep.yaml --shard 4/3
expect 2 "campaign needs one FILE" "$presort" campaign
expect 2 "none.yaml" "$presort" campaign none.yaml
if [ ! -d /proc/self/fd ] || [ "$mpi" = none ]; then
  OMPI_COMM_WORLD_SIZE=4 expect 2 "ranks of a program without MPI" "$presort" campaign sweep.yaml
fi

# A full disk: nothing half-written, and the next start goes on.
mkdir full
if mount -t tmpfs -o size=300k tmpfs full 2>/dev/null; then
  cp sweep.yaml full/
  head -c 200K /dev/zero >full/ballast
  expect 2 "No space left on device" "$presort" campaign full/sweep.yaml -q
  check "no hidden file is left" test -z "$(find full -name '.*.tmp')"
  check "whole journals on a full disk" "$presort" campaign status full/sweep.yaml
  check "no part of a block is left" test -z "$(grep 'not whole' stdout.txt)"
  rm full/ballast
  mount -o remount,size=8m full
  check "a start when there is room again" "$presort" campaign full/sweep.yaml -q
  "$presort" campaign export full/sweep.yaml -o full.csv >/dev/null
  check "rows after a full disk" cmp one.csv full.csv
else
  echo "skipped: a full disk (no tmpfs can be mounted here)"
fi

# Ranks of MPI, more than there are cores.
if [ "$mpi" = none ] || ! command -v mpirun >/dev/null; then
  echo "skipped: ranks of MPI (no mpirun, or built without MPI)"
else
  ranks() { timeout 100 mpirun --oversubscribe -n 4 "$mpi" campaign sweep.yaml -q; }
  # The journals name the program's version: the store of presort-mpi has the same.
  forget
  check "four ranks" ranks
  check "four journals" test "$(ls sweep.journals | wc -l)" -eq 4
  same_store "four ranks"
  forget
  ranks >/dev/null 2>&1 &
  sleep 1
  pids=$(pgrep -f "^$mpi campaign sweep.yaml")
  # shellcheck disable=SC2086
  [ -z "$pids" ] || kill -9 $(shuf -n 1 -e $pids) 2>/dev/null
  wait $! 2>/dev/null
  check "a start after the death of a rank" ranks
  same_store "after the death of a rank"
  forget
  mkdir there
  sed 's/count: 100/count: 50/' sweep.yaml >there/sweep.yaml
  expect 2 "rank 3: sweep.yaml: memory.latency: found" timeout 100 mpirun --oversubscribe \
    -n 3 "$mpi" campaign sweep.yaml -q : -n 1 -wdir "$folder/there" "$mpi" campaign sweep.yaml -q
  # A machine file that has another value on one rank.
  cp "$data/machine.yaml" own.yaml
  sed 's/^machines: .*/machines: [own.yaml]/' sweep.yaml >own-sweep.yaml
  cp own-sweep.yaml there/
  sed '0,/ clock: .*/s// clock: 1GHz/' own.yaml >there/own.yaml
  expect 2 "rank 3: own-sweep.yaml: machine own.yaml: /cpu/clock_hz: found '1000000000.0'" \
    timeout 100 mpirun --oversubscribe -n 3 "$mpi" campaign own-sweep.yaml -q : \
    -n 1 -wdir "$folder/there" "$mpi" campaign own-sweep.yaml -q
  expect 2 "rank 0: none.yaml" timeout 100 mpirun --oversubscribe -n 4 "$mpi" campaign none.yaml
fi

echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
