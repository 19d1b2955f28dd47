#!/usr/bin/env bash
# Tests simulated traces, their intervals, and curves of miss ratios.
# usage: traces_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

# Tests of simulated traces.
expect_json "ns,ns_per_access,stack_ns.core,levels.0.misses,tlb,walks,simulated_accesses,accesses_per_second,format,machine_values" \
  "${trace[@]}" "$traces/valid/loop.lackey" --json
expect_json "levels.0.misses,complete" "${trace[@]}" "$traces/valid/loop.din" --functional --json
grep -q '"ns"' stdout.txt && fail "counts without time have a time"
expect 2 "--trace and -n exclude each other" "${trace[@]}" "$traces/valid/loop.din" -n 5
expect 2 "--trace and --labels exclude each other" "${trace[@]}" "$traces/valid/loop.din" --labels x.u32
expect 2 "exclude each other" "${trace[@]}" "$traces/valid/loop.din" --functional --dependent
expect 2 "goes with --trace" "${simulate[@]}" --functional
expect 2 "did you mean 'lackey'" "${trace[@]}" "$traces/valid/loop.lackey" --format lacky
expect 2 "--page" "${trace[@]}" "$traces/valid/loop.lackey" --page 8KiB
expect 2 "cannot be opened" "${trace[@]}" missing.lackey
expect 2 "none of the formats" "${trace[@]}" "$machine"
expect 2 "has no accesses" "${trace[@]}" - --format lackey </dev/null
expect 2 "no-such-folder" "${trace[@]}" "$traces/valid/loop.lackey" --record no-such-folder/t
# Results up to a fault in a trace are printed, with the place of the fault, and not recorded.
"$presort" "${trace[@]}" "$traces/invalid/truncated.lackey" --record cut.presort --json >stdout.txt 2>stderr.txt
[ $? -eq 2 ] || fail "a truncated trace does not exit with 2"
grep -q 'truncated.lackey:41: .*results are of the 19 accesses before' stderr.txt ||
  fail "a truncated trace is not named with its line"
"$json_check" error ns levels.0.accesses <stdout.txt || fail "a truncated trace has no results"
[ -e cut.presort ] && fail "a truncated trace is recorded"
# Simulates a recorded trace, and a recorded kernel, again.
"$presort" "${trace[@]}" - --record again.presort --json <"$traces/valid/loop.lackey.gz" >first.json 2>stderr.txt ||
  fail "a trace of standard input"
"$presort" "${trace[@]}" again.presort --json >second.json 2>stderr.txt || fail "a recorded trace"
without_run() { grep -v '"trace"\|"format"\|second\|"date"' "$1"; }
diff <(without_run first.json) <(without_run second.json) >stderr.txt || fail "a recorded trace is not what it was recorded from"
expect 0 "" "${simulate[@]}" --full --record kernel.presort --plan pageSize=2MiB
expect_json "ns" "${trace[@]}" kernel.presort --page 2MiB --json
# Simulates several traces at once, each on a core of its own.
expect_json "ns,levels.0.misses,walks,memory_bytes,shared.0.cores.1,cores.0.ns_per_access,cores.1.stack_ns.core,cores.1.trace" \
  "${trace[@]}" "$traces/valid/loop.lackey" --trace "$traces/valid/loop.din" --json
expect_json "levels.0.misses,cores.1.levels.2.misses,complete" \
  "${trace[@]}" "$traces/valid/loop.din" --copies 2 --functional --json
grep -q '"ns' stdout.txt && fail "counts of copies without time have a time"
"$presort" "${trace[@]}" "$traces/valid/loop.lackey.gz" --copies 1 --json >second.json 2>stderr.txt || fail "one copy"
diff <(without_run first.json) <(without_run second.json) >stderr.txt || fail "one copy of a trace is not the trace"
"$presort" "${trace[@]}" "$traces/valid/loop.lackey" --trace - --format lackey --page 2MiB --limit 7 \
  --instructions --processes <"$traces/valid/loop.lackey" >stdout.txt 2>stderr.txt || fail "two traces"
grep -q '^14 accesses' stdout.txt || fail "the limit is not that of each trace"
grep -q 'a process each' stdout.txt || fail "processes are not named"
expect 2 "accepted: 1 to 2, the cores of example" "${trace[@]}" "$traces/valid/loop.din" --copies 3
expect 2 "accepted: 1 to 2, the cores of example" "${trace[@]}" "$traces/valid/loop.din" --copies 0
expect 2 "accepted: 1 to 2, the cores of example" "${trace[@]}" "$traces/valid/loop.din" --copies 1e15
expect 2 "block device" simulate -m opteron-6274-disk --trace "$traces/valid/loop.din" --copies 2
expect 2 "--copies goes with a single --trace, found 2" "${trace[@]}" a.din --trace b.din --copies 2
expect 2 "--processes goes with several traces, found one" "${trace[@]}" "$traces/valid/loop.din" --processes
expect 2 "--interval goes with a single trace" "${trace[@]}" a.din --trace b.din --interval 5
expect 2 "--record goes with a single trace" "${trace[@]}" "$traces/valid/loop.din" --copies 2 --record t
expect 2 "cannot be read once for each core" "${trace[@]}" - --trace -
expect 2 "cannot be read once for each core" "${trace[@]}" - --copies 2
expect 2 "missing.lackey: cannot be opened" "${trace[@]}" "$traces/valid/loop.din" --trace missing.lackey
expect 2 "has no accesses" "${trace[@]}" /dev/null --format din --copies 2
expect 2 "goes with --trace" "${simulate[@]}" --copies 2
"$presort" "${trace[@]}" "$traces/invalid/truncated.lackey" --trace "$traces/valid/loop.lackey" --json >stdout.txt 2>stderr.txt
[ $? -eq 2 ] || fail "a truncated trace beside a whole one does not exit with 2"
grep -q 'truncated.lackey:41: .*results of core 0 are of the 19 accesses before' stderr.txt ||
  fail "a truncated trace beside a whole one is not named with its line"
"$json_check" cores.0.error cores.1.ns <stdout.txt || fail "a truncated trace beside a whole one has no results"
grep -q '"simulated_accesses": 39' stdout.txt || fail "a truncated trace stops the other"
# Intervals of a simulation: JSON lines, the last of which sums up the whole.
"$presort" "${trace[@]}" kernel.presort --interval 100000 -q >lines.json 2>stderr.txt || fail "intervals"
[ "$(wc -l <lines.json)" -ge 3 ] || fail "too few intervals"
while read -r line; do
  "$json_check" schema levels.0.misses ns_per_access <<<"$line" || fail "an interval is not JSON"
done <lines.json

# Tests of miss-ratio curves.
curve=miss_ratio_curve.0.bytes,miss_ratio_curve.0.misses,miss_ratio_curve.0.miss_ratio,cold_misses,lines
expect_json "trace,$curve,complete,straddling_accesses,accesses_per_second" \
  "${trace[@]}" "$traces/valid/loop.lackey" --mrc --json
expect_json "problem.n,plan.sortBits,$curve" "${simulate[@]}" --mrc --plan sortBits=4 --json
expect_json "$curve" "${trace[@]}" kernel.presort --mrc --functional --mrc-rate 10% --record copy.presort --json
cmp -s kernel.presort copy.presort || fail "a trace recorded beside its curve is another one"
expect 0 "" "${simulate[@]}" --mrc --record kernel-only.presort
"$presort" "${simulate[@]}" --mrc | grep '^[0-9.]*[KM]*i*B ' >first.txt
"$presort" "${trace[@]}" kernel-only.presort --mrc | grep '^[0-9.]*[KM]*i*B ' >second.txt
[ "$(wc -l <first.txt)" -gt 5 ] || fail "a curve has few sizes"
diff first.txt second.txt >stderr.txt || fail "the curve of a recorded kernel is not that of the kernel"
expect 2 "exclude each other" "${trace[@]}" "$traces/valid/loop.din" --mrc --interval 5
expect 2 "exclude each other" "${trace[@]}" "$traces/valid/loop.din" --mrc --full
expect 2 "single trace" "${trace[@]}" "$traces/valid/loop.din" --mrc --copies 2
expect 2 "exclude each other" "${simulate[@]}" --mrc --dependent
expect 2 "exclude each other" "${simulate[@]}" --mrc --ci 5%
expect 2 "goes with --trace" "${simulate[@]}" --mrc --functional
expect 2 "goes with --mrc" "${simulate[@]}" --mrc-rate 5%
expect 2 "--mrc-rate: found '0'" "${simulate[@]}" --mrc --mrc-rate 0
expect 2 "--mrc-rate: found '101%'" "${simulate[@]}" --mrc --mrc-rate 101%
expect 2 "passes: found 2" "${simulate[@]}" --mrc --plan sortBits=4,passes=2
expect 2 "has no accesses" "${trace[@]}" - --format lackey --mrc </dev/null
"$presort" "${trace[@]}" "$traces/invalid/truncated.lackey" --mrc --record cut.presort --json >stdout.txt 2>stderr.txt
[ $? -eq 2 ] || fail "the curve of a truncated trace does not exit with 2"
grep -q 'truncated.lackey:41: .*the curve is of the 19 accesses before' stderr.txt ||
  fail "a truncated trace is not named with its line beside its curve"
# shellcheck disable=SC2086
"$json_check" error ${curve//,/ } <stdout.txt || fail "a truncated trace has no curve"
[ -e cut.presort ] && fail "a truncated trace is recorded"

end_checks
