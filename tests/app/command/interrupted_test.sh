#!/usr/bin/env bash
# Tests that interrupted or killed commands leave whole files, marked incomplete.
# usage: interrupted_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

# Interrupted commands exit with 130; finished results are kept and marked incomplete, and no file
# is half-written. A second signal ends a probe at once.
mkdir probed
"$presort" probe -o probed/machine.yaml --json -q >stdout.txt 2>stderr.txt &
sleep 0.5
kill -INT $!
wait $!
[ $? -eq 130 ] || fail "an interrupted probe does not exit with 130"
[ "$(ls -A probed)" = machine.yaml ] || fail "an interrupted probe left not a machine file alone"
grep -q '^  complete: false$' probed/machine.yaml || fail "a file of an interrupted probe looks whole"
grep -q '"complete": false' stdout.txt || fail "the JSON of an interrupted probe says complete"
expect 0 "" simulate -m probed/machine.yaml -n 2^16 -b 2^10
# A command that reads an incomplete file warns of it, and uses it all the same.
partial_machine='probed/machine.yaml: complete: false: its probe was interrupted; values that it had not measured'
expect 0 "warning: $partial_machine" simulate -m probed/machine.yaml "${small[@]}" --draw
[ "$(grep -c 'complete: false' stderr.txt)" -eq 1 ] || fail "simulate --draw says it twice"
expect 0 "warning: $partial_machine" tune -m probed/machine.yaml "${small[@]}" --model-only -q
expect 0 "warning: $partial_machine" compare -m probed/machine.yaml --set memory.latency=90ns "${small[@]}" --model-only -q
expect 0 "warning: $partial_machine" simulate -m probed/machine.yaml --trace "$traces/valid/loop.lackey"
# An incomplete result replaces an incomplete one, but never a complete one.
interrupted_probe() {
  "$presort" probe -o "$1" -q >stdout.txt 2>stderr.txt &
  sleep 0.5
  kill -INT $!
  wait $!
  [ $? -eq 130 ] || fail "an interrupted probe of $1 does not exit with 130"
}
interrupted_probe probed/machine.yaml
[ "$(ls -A probed)" = machine.yaml ] || fail "an interrupted probe does not replace an interrupted one"
cp "$machine" probed/machine.yaml
interrupted_probe probed/machine.yaml
cmp -s "$machine" probed/machine.yaml || fail "an interrupted probe replaced a machine file"
grep -qF 'interrupted: probed/machine.yaml is left as it was; what was finished is in probed/machine.partial.yaml' \
  stderr.txt || fail "an interrupted probe does not say where its file is"
grep -q 'wrote probed/machine.partial.yaml' stdout.txt || fail "an interrupted probe wrote another file"
grep -q '^  complete: false$' probed/machine.partial.yaml || fail "a partial machine file looks whole"
mkdir twice
"$presort" probe -o twice/machine.yaml -q >/dev/null 2>stderr.txt &
sleep 0.3
kill -INT $!
kill -TERM $!
wait $!
[ $? -eq 130 ] || fail "a probe interrupted twice does not exit with 130"
[ -z "$(ls -A twice)" ] || fail "a probe interrupted twice left a file"
# `compare` gives no ratio for problems that were not compared.
"$presort" compare -m "$machine" -n 2^26 -b 2^8..2^28 --set plan.threads=1,2 --json -q >stdout.txt 2>stderr.txt &
sleep 0.5
kill -INT $!
wait $!
[ $? -eq 130 ] || fail "an interrupted compare does not exit with 130"
"$json_check" complete machines.0.complete crossovers.values.0.direct_over_presorted <stdout.txt ||
  fail "bad JSON of an interrupted compare"
grep -q '^  "complete": false' stdout.txt || fail "an interrupted compare looks complete"
grep -q 'null' stdout.txt || fail "an interrupted compare has ratios of what it did not reach"
# Plans of two threads have no closed form and are simulated, so the command is at work when the
# signal comes.
for signal in INT TERM; do
  mkdir tuned-$signal
  "$presort" tune -m "$machine" -n 2^26 -b 2^8..2^28 --threads 1,2 -o tuned-$signal/tuned.yaml -q \
    >/dev/null 2>stderr.txt &
  sleep 1
  kill -$signal $!
  wait $!
  [ $? -eq 130 ] || fail "a tune that got SIG$signal does not exit with 130"
  [ -z "$(ls -A tuned-$signal | grep -v '^tuned.yaml$')" ] || fail "SIG$signal left half a file"
  if [ -e tuned-$signal/tuned.yaml ]; then
    grep -q '^complete: false$' tuned-$signal/tuned.yaml || fail "interrupted, and called complete"
    "$presort" run -n 2^16 -b 2^8 --tuned tuned-$signal/tuned.yaml --force --reps 1 >/dev/null \
      2>stderr.txt || fail "SIG$signal left a file that cannot be read"
  fi
done
# A complete table, or picture, is not replaced by an incomplete one.
"$presort" tune -m "$machine" "${small[@]}" -o whole.yaml -q >/dev/null 2>stderr.txt || fail "tune -o"
cp whole.yaml whole-before.yaml
"$presort" tune -m "$machine" -n 2^26 -b 2^8,2^26..2^28 --threads 1,2 -o whole.yaml \
  >stdout.txt 2>stderr.txt &
sleep 1.5
kill -INT $!
wait $!
[ $? -eq 130 ] || fail "a tune interrupted over a table does not exit with 130"
cmp -s whole.yaml whole-before.yaml || fail "an interrupted tune replaced a whole table"
if [ -e whole.partial.yaml ]; then
  grep -qF 'interrupted: whole.yaml is left as it was; what was finished is in whole.partial.yaml' stderr.txt ||
    fail "an interrupted tune does not say where its table is"
  # A label file with labels below 2^26 fits every plan that the incomplete table can hold,
  # whichever problems were finished.
  expect 0 "warning: whole.partial.yaml: complete: false: its tuning was interrupted; problems are missing" \
    run -n 2^16 -b 2^26 --tuned whole.partial.yaml --force --reps 1
fi
echo "a picture" >whole.svg
"$presort" compare -m "$machine" -n 2^26 -b 2^8..2^28 --set plan.threads=1,2 --plot whole.svg -q >stdout.txt 2>stderr.txt &
sleep 0.5
kill -INT $!
wait $!
[ $? -eq 130 ] || fail "a compare interrupted over a picture does not exit with 130"
[ "$(cat whole.svg)" = "a picture" ] || fail "an interrupted compare replaced a picture"
# Whenever the command is killed, a complete file is there: the old one or the new one.
mkdir killed
"$presort" tune -m "$machine" -n 2^16 -b 2^8 -o killed/tuned.yaml -q >/dev/null 2>stderr.txt || fail "tune -o"
for moment in 0.001 0.003 0.006 0.01 0.015 0.02 0.03 0.05; do
  "$presort" tune -m "$machine" -n 2^16 -b 2^8..2^14 -o killed/tuned.yaml -q >/dev/null 2>stderr.txt &
  sleep $moment
  kill -KILL $! 2>/dev/null
  wait $! 2>/dev/null
  "$presort" run -n 2^10 -b 2^8 --tuned killed/tuned.yaml --force --reps 1 >/dev/null 2>stderr.txt ||
    fail "a tune that was killed after $moment s left a file that cannot be read"
  grep -q '^complete: false$' killed/tuned.yaml && fail "a tune that was killed left a part of a table"
done
(yes '0 10' | "$presort" "${trace[@]}" - --record endless.presort -q >stdout.txt 2>stderr.txt) &
sleep 1
kill -INT $(pgrep -P $! presort)
wait $!
[ $? -eq 130 ] || fail "an interrupted trace does not exit with 130"
grep -q 'accesses' stdout.txt || fail "an interrupted trace has no results"
(yes '0 10' | "$presort" "${trace[@]}" - --trace "$traces/valid/loop.din" --format din >stdout.txt 2>stderr.txt) &
sleep 1
kill -INT $(pgrep -P $! presort)
wait $!
[ $? -eq 130 ] || fail "interrupted traces do not exit with 130"
grep -q 'L3 of cores 0 to 1' stdout.txt || fail "interrupted traces have no results"
(yes '0 10' | "$presort" "${trace[@]}" - --mrc -q >stdout.txt 2>stderr.txt) &
sleep 1
kill -INT $(pgrep -P $! presort)
wait $!
[ $? -eq 130 ] || fail "an interrupted curve does not exit with 130"
grep -q 'miss ratio' stdout.txt || fail "an interrupted trace has no curve"
"$presort" simulate -m "$machine" -n 2^32 -b 2^24 --mrc -q >stdout.txt 2>stderr.txt &
sleep 1
kill -INT $!
wait $!
[ $? -eq 130 ] || fail "an interrupted curve of a problem does not exit with 130"
grep -q 'miss ratio' stdout.txt || fail "an interrupted problem has no curve"

end_checks
