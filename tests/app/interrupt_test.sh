#!/usr/bin/env bash
# Ends commands that would take minutes by SIGINT and by SIGTERM, early and late: exit status 130
# within two seconds.
# usage: interrupt_test.sh PRESORT DATA_FOLDER
machine=$(realpath "$2/machine.yaml")
sweep=$(realpath "$2/../../../docs/results/sweeps/golden-cove-vm.jsonl.gz")
source "$(dirname "${BASH_SOURCE[0]}")/test_folder.sh"
most_ms=2000
early=0.2 # seconds
late=1.5
checks=0

milliseconds() {
  echo $(($(date +%s%N) / 1000000))
}

# Waits until process $1 has a handler of SIGINT. Before that, a command that a script started in
# the background ignores SIGINT, as POSIX wants, and a busy machine can take longer than $early to
# load the command.
until_it_catches_signals() {
  local caught tries=0
  while [ $((tries += 1)) -le 3000 ]; do
    # Empty for the shell's own copy, which has not yet become the command.
    caught=$(sed -n '/^Name:.*presort$/,/^SigCgt:/s/^SigCgt:[[:space:]]*//p' "/proc/$1/status")
    [ $((16#0$caught & 2)) -eq 0 ] || return 0
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.01
  done
  echo "FAILED: no handler of SIGINT after 30 s" >&2
  failures=$((failures + 1))
}

# ends SIGNAL SECONDS_BEFORE WORDS…: starts the command, sends the signal that many seconds after
# the command catches it, and checks how it ends.
ends() {
  local signal=$1 before=$2
  shift 2
  "$presort" "$@" >stdout.txt 2>stderr.txt &
  local process=$! sent status took
  until_it_catches_signals $process
  sleep "$before"
  sent=$(milliseconds)
  kill "-$signal" $process 2>/dev/null
  local there=$?
  wait $process
  status=$?
  if [ $there -ne 0 ] && [ $status -eq 0 ] && [ "$before" = "$late" ]; then
    echo "over before the late signal: presort $*"
    return
  fi
  took=$(($(milliseconds) - sent))
  checks=$((checks + 1))
  if [ $status -ne 130 ] || [ $took -gt $most_ms ]; then
    echo "FAILED: presort $* ($signal after $before s): exit $status, $took ms after the signal" >&2
    sed 's/^/    stderr: /' stderr.txt >&2
    failures=$((failures + 1))
  fi
}

# calibrate accepts only the file of the machine that it runs on.
"$presort" probe --quick -q -o here.yaml >probe.txt 2>&1 || {
  cat probe.txt >&2
  exit 1
}

# Large problems of every operation, labels of every kind, and each way to predict or time them.
long=(
  "run -n 2^27 -b 2^22 --reps 1000 -q"
  "run -n 2^27 -b 2^22 --reps 1000 --check --plan sortBits=9,threads=2 -q"
  "run -n 2^27 -b 2^22 --reps 1000 --op partialSort -q"
  "run -n 2^27 -b 2^22 --reps 1000 --op segmentedScan -q"
  "run -n 2^26 -b 2^26 --reps 1000 --dist permutation -q"
  "run -n 2^26 -b 2^26 --reps 1000 --dist zipf:1 -q"
  "simulate -m $machine -n 2^32 -b 2^20 --full"
  "simulate -m $machine -n 2^32 -b 2^20 --full --plan sortBits=9"
  "simulate -m $machine -n 2^31 -b 2^8 --full --mrc"
  "simulate -m $machine -n 2^30 -b 2^20 --full --record r.presort"
  "simulate -m opteron-6274-disk -n 2^32 -b 2^31 --full --op scatter --dist permutation"
  "tune -m opteron-6274 -n 2^26 -b 2^8..2^28 --threads 1,2,4 --dist uniform,zipf:1 -o t.yaml"
  "tune -m opteron-6274 -n 2^26 -b 2^8..2^28 --threads 1,4,8 -q"
  "tune -m $machine -n 2^26 -b 2^20 --measure 1000 -q"
  "compare -m opteron-6274 --set memory.latency=90ns,100ns,110ns,120ns --set plan.threads=4 -n 2^26 -b 2^8..2^28 -q"
  "probe --thorough -o m.yaml -q"
  "probe -o m.yaml"
  "calibrate -m here.yaml --dry-run -q"
  "validate -m $machine -o out --grid grid.yaml --reps 100 -q"
  "validate -m golden-cove-vm -o replayed --replay $sweep -q"
  "validate -m golden-cove-vm -o loops --loops --reps 1000 -q"
)
cat >grid.yaml <<'END'
presort: planGrid/1
problems:
  - {op: multireduce, n: 2^27, m: [2^20, 2^24, 2^26], dist: uniform, types: u32+u32}
plans:
  - {sortBits: 0}
  - {sortBits: 9}
END

for words in "${long[@]}"; do
  for signal in INT TERM; do
    for before in $early $late; do
      # shellcheck disable=SC2086 # words of one command
      ends $signal $before $words
    done
  done
done
echo "$checks interrupts checked, $failures failed"
[ $failures -eq 0 ]
