#!/usr/bin/env bash
# Tests validations, their limits, reports, and what is said of a busy machine.
# usage: validate_report_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

make_tuned

# Tests of validation: files, JSON, limits.
cat >grid.yaml <<GRID
presort: planGrid/1
problems: [{op: multireduce, n: 2^16, m: [2^8, 2^10], dist: uniform, types: u32+u32}]
plans: [{sortBits: 0, pageSize: 4KiB}, {sortBits: 4, pageSize: 4KiB}]
GRID
validate=(validate -m "$machine" --tuned tuned.yaml --grid grid.yaml -q --reps 4)
expect_json "prediction.points,prediction.median_abs_error,tuning.mean_regret,tuning.right_decision,groups.0.rows.0.m" \
  "${validate[@]}" -o report --json
for file in report.html result.jsonl summary.txt validate.json; do
  [ -s "report/$file" ] || fail "validate wrote no $file"
done
"$presort" "${validate[@]}" -o report --max-median-error 0% >/dev/null 2>stderr.txt
[ $? -eq 1 ] || fail "validate above its limit does not exit with 1"
# Validation against recorded times, in closed form: every limit is checked, and each exceeded one
# is printed.
"$presort" validate -m "$machine" --replay report/result.jsonl --model -q -o modelled --max-median-error 0% \
  --max-regret 1000% --max-p95-regret 1000% --max-worst-regret 1000% >stdout.txt 2>stderr.txt
[ $? -eq 1 ] || fail "a replay above a limit does not exit with 1"
grep -q 'median error .* is above the limit' stderr.txt || fail "a replay does not say which limit"
grep -q 'regret' stderr.txt && fail "a replay within its limits of regret is called above"
for name in "the thesis' rule" "Futhark's rule"; do
  grep -q "^$name  *2 " stdout.txt || fail "a replay has no row for $name"
done
expect 2 "does not go with --loops" validate -m "$machine" --loops --model
expect_json "tuning.measured.mean_regret,tuning.measured.runs,tuning.baselines.4.rule" \
  validate -m "$machine" --replay report/result.jsonl --model --measure 3 -q -o modelled --json
expect_json "tuning.measured.mean_regret" \
  validate -m "$machine" --replay report/result.jsonl --model --measure close -q -o modelled --json
expect 2 "--measure: found 4, accepted: 1 to 3" \
  validate -m "$machine" --replay report/result.jsonl --model --measure 4 -q -o modelled
expect 2 "--measure: found 0, accepted: close, or 1 to 100" \
  validate -m "$machine" --replay report/result.jsonl --measure 0 -o modelled
expect 2 "--strict does not go with --replay" \
  validate -m "$machine" --replay report/result.jsonl --strict -o modelled
expect 2 "--strict does not go with --replay" \
  validate -m "$machine" --loops --replay loops.jsonl --strict -o modelled
"$json_check" --lines schema <report/result.jsonl || fail "bad JSON lines"
"$json_check" --lines schema <modelled/result.jsonl || fail "bad JSON lines of a replay"
grep -q '"machine_load":null' modelled/result.jsonl || fail "a replay knows of the machine's load"
# Runs of a busy hour stay what they were when they are replayed.
if grep -q '^TOO BUSY' modelled/summary.txt && ! grep -q '^TOO BUSY' report/summary.txt; then
  fail "a replay judges the machine's load"
fi

# Tests of report: a page of a folder, of two files; bad files are refused and leave no page.
"$presort" report report report/result.jsonl -o page.html >stdout.txt 2>stderr.txt || fail "report: exit $?"
grep -q "^wrote page.html" stdout.txt || fail "report does not say what it wrote"
grep -q "median error" stdout.txt || fail "report does not print its headline"
grep -q "</html>" page.html || fail "report: page.html is no whole page"
grep -qE 'src=|<link|https?://[^g]' page.html && fail "report: page.html fetches something"
expect 2 "PATH is missing" report -o none.html
expect 2 "nowhere.jsonl: cannot" report nowhere.jsonl -o none.html
mkdir -p without && expect 2 "without: found a folder without result.jsonl" report without -o none.html
head -c 900 report/result.jsonl >cut.jsonl
expect 2 "cut.jsonl:1:" report cut.jsonl -o none.html
sed '2s/"predicted_ns_per_input":[0-9.e+-]*/"predicted_ns_per_input":"<script>"/' report/result.jsonl >bad.jsonl
expect 2 "bad.jsonl:2: predicted_ns_per_input: found '<script>'" report bad.jsonl -o none.html
expect 2 "which has no GPU" report report -m "$machine" -o none.html
[ ! -e none.html ] || fail "report wrote a page in spite of an error"
# With all processors busy, the first line of the result says so, and --strict exits with 4.
loops=()
for _ in $(seq $((2 * $(nproc)))); do
  timeout 100 sh -c 'while :; do :; done' &
  loops+=($!)
done
"$presort" validate -m "$machine" --tuned tuned.yaml --grid grid.yaml -q --reps 60 -o busy --strict >stdout.txt 2>stderr.txt
[ $? -eq 4 ] || fail "validate --strict on a machine that is too busy does not exit with 4"
grep -q -- '--strict: the machine was too busy: ' stderr.txt || fail "--strict does not say why"
# (The time that other programs used is counted in ticks: a run on a fast machine has too few of
# them.)
# Above that line there may be one that says how few runs were quiet.
head -1 busy/summary.txt | grep -q '^TOO BUSY ' ||
  fail "the summary does not open with a machine that is too busy"
head -2 busy/summary.txt |
  grep -qE '^TOO BUSY .* (other processes used [0-9]* % of the|waited for a processor [0-9]* % of)' ||
  fail "the summary does not say what the machine was busy with"
grep -q '<pre>TOO BUSY' busy/report.html || fail "the report does not say that it was too busy"
"$json_check" schema machine_load.reasons.0 probe_warnings <busy/validate.json || fail "bad JSON"
grep -q '^  "too_busy": true' busy/validate.json || fail "the JSON does not say that it was too busy"
grep -q '"verdict":"too_busy"' busy/result.jsonl || fail "the lines do not say that it was too busy"
"$presort" validate -m "$machine" --loops --largest 64KiB --reps 4 -q -o busy --strict >stdout.txt 2>stderr.txt
[ $? -eq 4 ] || fail "validate --loops --strict on a machine that is too busy does not exit with 4"
"$presort" run -n 2^22 -b 2^16 --reps 20 >stdout.txt 2>stderr.txt || fail "a run on a busy machine"
head -1 stdout.txt | grep -q '^TOO BUSY ' || fail "run does not say that the machine was too busy"
"$presort" tune -m "$machine" -n 2^22 -b 2^10 --measure 20 -q -o busy.yaml >stdout.txt 2>stderr.txt ||
  fail "tune --measure on a busy machine"
head -1 stdout.txt | grep -q '^TOO BUSY ' || fail "tune --measure does not say that it was too busy"
grep -q '^  load: too_busy$' busy.yaml || fail "a tuned file does not say that runs were disturbed"
kill "${loops[@]}" 2>/dev/null
wait "${loops[@]}" 2>/dev/null
expect 2 "--measure goes with --replay" validate -m "$machine" --measure 5 -o modelled
# Problems that the core costs were fitted to are left out of a validation.
width=$(sed -n 's/^ *dispatchWidth: *//p' "$machine")
sed "s|^\( *\)dispatchWidth:.*|&\n\1costs: known.costs.yaml|" "$machine" >known.yaml
cat >known.costs.yaml <<COSTS
presort: coreCosts/1
machine: known
clock: 2GHz
dispatchWidth: $width
slots: {plain: 1, load: 1, store: 1, branch: 1, prefetch: 1, lineMove: 1}
points:
  - {op: multireduce, n: 2^16, m: 2^8, plan: {sortBits: 0}, measuredNs: 1, simulatedNs: 1, coreShare: 1, quiet: 1, runs: 1}
COSTS
expect 0 "note: problems left out, for the core costs were fitted to them: 1" \
  validate -m known.yaml --grid grid.yaml --reps 4 -o known
grep -qE '"m": ?256' known/result.jsonl && fail "a problem that the core costs were fitted to is validated"
sed -i 's/^  - \(.*\)m: 2^8\(.*\)/&\n  - \1m: 2^10\2/' known.costs.yaml
expect 2 "none is left" validate -m known.yaml --grid grid.yaml --reps 4 -o known
rm known.costs.yaml
expect 2 "known.yaml:" simulate -m known.yaml "${small[@]}"
expect 2 "is not the machine that this runs on" calibrate -m core2-t7300

touch not-a-folder
expect 2 "not-a-folder" "${validate[@]}" -o not-a-folder

end_checks
