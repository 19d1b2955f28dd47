#!/usr/bin/env bash
# Tests presort validate with bad input: exit codes, messages that name the cause, nothing
# half-written, and partial results when it is interrupted.
# usage: validate_test.sh PRESORT JSON_CHECK DATA_FOLDER
json_check=$(realpath "$2")
machine=$(realpath "$3/machine.yaml")
source "$(dirname "${BASH_SOURCE[0]}")/test_folder.sh"

# grid NAME PROBLEMS PLANS: writes the plan grid NAME.yaml.
grid() {
  printf 'presort: planGrid/1\nproblems: [%s]\nplans: [%s]\n' "$2" "$3" >"$1.yaml"
}

# refuses CODE TEXT FOLDER WORDS…: the command exits with CODE, prints TEXT on stderr, and leaves no
# file in FOLDER.
refuses() {
  local code=$1 text=$2 out=$3
  shift 3
  "$presort" validate -m "$machine" -q --reps 4 -o "$out" "$@" >stdout.txt 2>stderr.txt
  local found=$?
  [ "$found" -eq "$code" ] || fail "validate $*: exit $found, expected $code"
  grep -qF -- "$text" stderr.txt || fail "validate $*: stderr lacks '$text'"
  [ ! -s stdout.txt ] || fail "validate $*: an error, but stdout has text"
  [ -z "$(find "$out" -type f 2>/dev/null)" ] || fail "validate $*: an error, but $out has files"
}

small='{op: multireduce, n: 2^16, m: 2^8, dist: uniform, types: u32+u32}'
huge='{op: multireduce, n: 2^36, m: 2^10, dist: uniform, types: u32+u32}'

# A plan that is illegal for every problem, and one that is illegal for some.
grid illegal '{op: multireduce, n: 2^16, m: [2^4, 2^6], dist: uniform, types: u32+u32}' \
  '{sortBits: 8}, {sortBits: 12, passes: 2}'
refuses 2 "illegal.yaml:3:8: plans: found none that fits multireduce n=2^16 m=16 uniform u32+u32; the first, sortBits=8" \
  illegal --grid illegal.yaml
refuses 2 "sortBits: found '8', accepted: 0 to 4" illegal --grid illegal.yaml
grid sorted "$small" '{sortBits: 4}'
refuses 2 "sorted.yaml:3:8: plans: found only plans with a pre-sort" sorted --grid sorted.yaml
grid some '{op: multireduce, n: 2^16, m: [2^4, 2^10], dist: uniform, types: u32+u32}' \
  '{sortBits: 0}, {sortBits: 8}'
"$presort" validate -m "$machine" -q --reps 4 -o some --grid some.yaml >stdout.txt 2>stderr.txt ||
  fail "a grid with a plan that fits one problem only"
[ "$(wc -l <some/result.jsonl)" -eq 3 ] || fail "a plan that does not fit was not left out"

# --draw: counts and seeds out of range, options that say what to run, and a draw that runs and
# replays.
refuses 2 "--draw: found 5, accepted: 6 to 10000 points" drawn --draw 5
refuses 2 "--draw: found 10001, accepted: 6 to 10000 points" drawn --draw 10001
refuses 2 "--draw: found '-1'" drawn --draw -1
refuses 2 "--seed: found '18446744073709551616'" drawn --draw 6 --seed 18446744073709551616
refuses 2 "--seed goes with --draw" drawn --seed 3
refuses 2 "--grid does not go with it" drawn --draw 6 --grid some.yaml
refuses 2 "--replay does not go with it" drawn --draw 6 --replay some/result.jsonl
refuses 2 "--wait-quiet: found '0s', accepted: above 0s, at most 86400s" drawn --draw 6 --wait-quiet 0s
refuses 2 "--wait-quiet: found '5cy'" drawn --draw 6 --wait-quiet 5cy
"$presort" validate -m "$machine" -q -o drawn --draw 6 --seed 4 --json >stdout.txt 2>stderr.txt ||
  fail "a draw of six points"
"$json_check" draw.seed draw.replaced_beyond_memory draw.replaced_beyond_time draw.time_limit_seconds \
  points_inside_80_percent_interval errors_by.label_kind errors_by.page_size headline <stdout.txt ||
  fail "the JSON of a draw lacks fields"
grep -q '^draw  *seed 4: ' drawn/summary.txt || fail "the summary does not tell what was drawn"
"$presort" validate -m "$machine" -q -o again --replay drawn/result.jsonl >stdout.txt 2>stderr.txt ||
  fail "a draw does not replay"
# An interrupted draw keeps what was chosen and predicted, and the same command goes on from there.
interrupt_a_draw() {
  lines=$1
  "$presort" validate -m "$machine" -q -o cut --draw 60 --seed 4 >stdout.txt 2>stderr.txt &
  draw=$!
  for _ in $(seq 600); do
    [ -e cut/draw.journal ] && [ "$(wc -l <cut/draw.journal)" -gt "$lines" ] && break
    sleep 0.1
  done
  kill -INT "$draw"
  code=0
  wait "$draw" || code=$?
  [ "$code" = 130 ] || fail "an interrupted draw exits with $code, not 130"
  grep -q "is kept in cut/draw.journal" stderr.txt || fail "an interrupted draw does not say what it keeps"
}
interrupt_a_draw 1
kept=$(wc -l <cut/draw.journal)
interrupt_a_draw "$kept"
grep -q "cut/draw.journal has .* of an interrupted command: taken" stderr.txt ||
  fail "a draw does not go on from its journal"
[ "$(sort cut/draw.journal | uniq -d | wc -l)" = 0 ] || fail "a draw predicted something twice"
[ ! -e drawn/draw.journal ] || fail "a complete draw leaves its journal"

# Result folders that cannot be written to.
grid good "$small" '{sortBits: 0}, {sortBits: 4}'
refuses 2 "/dev/null/out: cannot be made a folder" /dev/null/out --grid good.yaml
for file in result.jsonl summary.txt validate.json report.html; do
  mkdir -p "taken/$file"
  refuses 2 "taken/$file: cannot be written: it is a folder" taken --grid good.yaml
  rmdir "taken/$file"
done
mkdir locked
chmod a-w locked
if [ ! -w locked ]; then  # root writes everywhere
  refuses 2 "locked/result.jsonl: cannot be written" locked --grid good.yaml
fi

# A problem that does not fit into memory is skipped with the reason. When no problem is left, the
# exit code is that of a lacking environment, and there is no report.
grid partly "$small, $huge" '{sortBits: 0}, {sortBits: 4}'
"$presort" validate -m "$machine" -q --reps 4 -o partly --grid partly.yaml --json >stdout.txt 2>stderr.txt ||
  fail "a problem too large for memory stops the others"
"$json_check" skipped.0 tuning.baselines.0.name groups.0.crossovers <stdout.txt ||
  fail "a skipped problem is not in the JSON"
grep -q 'n=2^36 m=2^10 uniform u32+u32: .*not enough memory: needed' partly/summary.txt ||
  fail "the summary does not say why a problem was skipped"
[ "$(wc -l <partly/result.jsonl)" -eq 2 ] || fail "the other problem was not measured"
grid none "$huge" '{sortBits: 0}, {sortBits: 4}'
refuses 3 "no problem could be measured; the first: multireduce n=2^36" none --grid none.yaml

# States of a run, by what stderr.txt says of its progress.
predicting() { grep -q '^predict' stderr.txt 2>/dev/null; }
first_is_measured() {  # the second problem is being measured; a busy machine measures one repeatedly
  [ "$(sed -n 's/^measure: .* m=\([0-9^]*\) .*/\1/p' stderr.txt 2>/dev/null | sort -u | wc -l)" -ge 2 ]
}
until_it_is() {  # STATE PID: waits for one of the states above, or until process PID has ended
  until "$1" || ! kill -0 "$2" 2>/dev/null; do sleep 0.05; done
}

# interrupts STATE OUT WORDS…: sends SIGINT in the state; expects exit 130 and all four files in OUT.
interrupts() {
  local state=$1 out=$2
  shift 2
  : >stderr.txt  # what the run before said is not mistaken for what this one says
  "$presort" validate -m "$machine" -o "$out" "$@" >stdout.txt 2>stderr.txt &
  local pid=$!
  until_it_is "$state" "$pid"
  kill -INT "$pid"
  wait "$pid"
  local found=$?
  [ "$found" -eq 130 ] || fail "validate $*, interrupted: exit $found, expected 130"
  for file in report.html result.jsonl summary.txt validate.json; do
    [ -e "$out/$file" ] || fail "validate $*, interrupted: no $file"
  done
  grep -q 'interrupted: partial results' "$out/summary.txt" ||
    fail "validate $*, interrupted: the summary does not say so"
  grep -q '"complete": false' "$out/validate.json" || fail "validate $*, interrupted: called complete"
  "$json_check" prediction.points tuning.points points_measured <"$out/validate.json" ||
    fail "validate $*, interrupted: bad JSON"
}

# Forty problems take half a minute; a line of progress comes every five seconds, and at the second
# one some of the problems are measured.
grid long "{op: multireduce, n: 2^20, m: [$(seq -s ', ' 257 296)], dist: uniform, types: u32+u32}" \
  '{sortBits: 0}, {sortBits: 4}'
interrupts first_is_measured measuring --grid long.yaml --reps 100 --model
lines=$(wc -l <measuring/result.jsonl)
[ "$lines" -ge 2 ] && [ "$lines" -lt 80 ] || fail "interrupted while measuring: $lines points"
grid slow '{op: multireduce, n: 2^23, m: [2^22, 2^23, 2^24, 2^25, 2^26, 2^27], dist: uniform, types: u32+u32}' \
  '{sortBits: 0}, {sortBits: 8}, {sortBits: 9}'
interrupts predicting predicting --grid slow.yaml --reps 4
[ -s predicting/result.jsonl ] && fail "interrupted while predicting: there are measurements"
# Recorded times without a prediction, as the replay was interrupted, do not count in any figure.
"$presort" validate -m "$machine" -q --reps 4 -o recorded --grid good.yaml >stdout.txt 2>stderr.txt ||
  fail "a small validation"
for m in 22 23 24 25 26 27; do
  sed "s/\"n\":65536,\"m\":256/\"n\":8388608,\"m\":$((1 << m))/g" recorded/result.jsonl
done >recorded.jsonl
interrupts predicting replayed --replay recorded.jsonl
grep -q '"max_abs_error": 1.0' replayed/validate.json && fail "missing predictions count as errors"
grep -q '"predicted_ns_per_input":0.0' replayed/result.jsonl && fail "a prediction of 0 ns"
grep -q '"complete":true' replayed/result.jsonl && fail "a line of a part of a replay says complete"
"$presort" validate -m "$machine" --replay recorded/result.jsonl -o recorded >stdout.txt 2>stderr.txt
[ $? -eq 2 ] || fail "a replay overwrites its own recording"
grep -q 'would be overwritten' stderr.txt || fail "the error does not say what would be overwritten"

# An interrupted run replaces no complete result: its own results go to a folder beside it, or
# nowhere.
checksums() { (cd "$1" && find . -maxdepth 1 -type f -exec cksum {} + | sort -k3); }
echo "a user's own" >recorded/machine.yaml
echo "a user's own" >recorded/my.svg
before=$(checksums recorded)
interrupted_over() {  # STATE TEXT WORDS…: sends SIGINT over the complete result in recorded/
  local state=$1 text=$2
  shift 2
  : >stderr.txt
  "$presort" validate -m "$machine" -o recorded "$@" >stdout.txt 2>stderr.txt &
  local pid=$!
  until_it_is "$state" "$pid"
  kill -INT "$pid"
  wait "$pid"
  [ $? -eq 130 ] || fail "validate $*, interrupted over a result: exit is not 130"
  grep -qF "presort: interrupted: recorded keeps the result that was there; $text" stderr.txt ||
    fail "validate $*, interrupted over a result: does not say '$text'"
  [ "$(checksums recorded)" = "$before" ] || fail "validate $*, interrupted, changed the old result"
}
interrupted_over predicting 'nothing was finished' --grid slow.yaml --reps 4
[ ! -e recorded/partial ] || fail "an interrupted run that has nothing left a folder"
grep -q '^wrote' stdout.txt && fail "an interrupted run that has nothing says that it wrote"
interrupted_over first_is_measured 'the partial one is in recorded/partial' --grid long.yaml --reps 100 --model --json
"$json_check" folder files.3 <stdout.txt || fail "the JSON does not say where partial results are"
grep -q '"complete": false' recorded/partial/validate.json || fail "a partial result is called complete"
[ -s recorded/partial/result.jsonl ] || fail "a partial result has no measurements"
grep -q 'report: recorded/partial/report.html' recorded/partial/summary.txt ||
  fail "a partial summary names another report"
# An interrupted run replaces an incomplete result, but not if it has no results.
interrupts first_is_measured measuring --grid long.yaml --reps 100 --model
grep -q 'keeps the result' stderr.txt && fail "a partial result is kept from a partial one"
partial=$(checksums measuring)
: >stderr.txt
"$presort" validate -m "$machine" -o measuring --grid slow.yaml --reps 4 >stdout.txt 2>stderr.txt &
pid=$!
until_it_is predicting $pid
kill -INT "$pid"
wait "$pid"
[ "$(checksums measuring)" = "$partial" ] || fail "a partial result was replaced by one of nothing"

# A complete run replaces all files of the old result, its pictures too, and leaves all other files.
if command -v gnuplot >/dev/null; then
  grid two "$small, {op: multireduce, n: 2^17, m: 2^8, dist: uniform, types: u32+u32}" \
    '{sortBits: 0}, {sortBits: 4}'
  "$presort" validate -m "$machine" -q --reps 4 -o recorded --grid two.yaml >stdout.txt 2>stderr.txt ||
    fail "two groups over one"
  [ -e recorded/times-2.svg ] && [ ! -e recorded/times.svg ] || fail "pictures of the old result stay"
  "$presort" validate -m "$machine" -q --reps 4 -o recorded --grid good.yaml >stdout.txt 2>stderr.txt ||
    fail "one group over two"
  [ -e recorded/times.svg ] && [ ! -e recorded/times-2.svg ] || fail "pictures of the old result stay"
fi
[ "$(cat recorded/my.svg recorded/machine.yaml | sort -u)" = "a user's own" ] ||
  fail "a user's own file did not survive"

# Two runs with one result folder never mix their files: the second run is refused.
: >stderr.txt
"$presort" validate -m "$machine" -o shared --grid slow.yaml --reps 4 >/dev/null 2>stderr.txt &
pid=$!
until_it_is predicting $pid
for words in "--grid good.yaml --reps 4" "--loops --largest 16KiB --reps 4"; do
  # shellcheck disable=SC2086
  "$presort" validate -m "$machine" -q -o shared $words >stdout.txt 2>second.txt
  [ $? -eq 3 ] || fail "validate $words with another's folder does not exit with 3"
  grep -qF "shared: another presort (process $pid) writes its results there" second.txt ||
    fail "validate $words with another's folder does not say who has it"
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null
"$presort" validate -m "$machine" -q --reps 4 -o shared --grid good.yaml >stdout.txt 2>stderr.txt ||
  fail "a folder whose run was killed is not free"
[ ! -e shared/.presort-result ] || fail "what a killed run left is not cleaned up"

# Whenever a run is killed, one complete result is left.
sed 's/^name: .*/name: first machine/' "$machine" >first.yaml
sed 's/^name: .*/name: other machine/' "$machine" >other.yaml
replay=(-q --model --replay recorded/result.jsonl -o judged)
judge() { "$presort" validate -m "$1.yaml" "${replay[@]}" >/dev/null 2>stderr.txt; }
judge first || fail "a replay"
start=$(date +%s%N)
judge other || fail "a replay over another"
took=$((($(date +%s%N) - start) / 1000))  # microseconds
RANDOM=1
for turn in $(seq 30); do
  [ $((turn % 2)) -eq 0 ] && name=first || name=other
  "$presort" validate -m $name.yaml "${replay[@]}" >/dev/null 2>stderr.txt &
  pid=$!
  sleep "$(printf '%d.%06d' 0 $((took * (RANDOM % 115) / 100)))"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  for file in result.jsonl summary.txt report.html; do
    grep -o 'first machine\|other machine' judged/$file | head -1
  done | sort -u >machines.txt
  [ "$(wc -l <machines.txt)" -eq 1 ] || fail "a killed run left a mixture: $(tr '\n' ' ' <machines.txt)"
done
judge first || fail "a replay after kills"
[ "$(find judged -type l)" = "" ] && [ ! -e judged/.presort-result ] || fail "links are left"
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files are left"

[ "$failures" -eq 0 ]
