#!/usr/bin/env bash
# Tests presort validate --loops: files, JSON, limits, recordings judged again, bad input,
# interruption.
# usage: validate_loops_test.sh PRESORT JSON_CHECK DATA_FOLDER
json_check=$(realpath "$2")
machine=$(realpath "$3/machine.yaml")
source "$(dirname "${BASH_SOURCE[0]}")/test_folder.sh"

# loops WORDS…: runs presort validate --loops with these words.
loops() { "$presort" validate --loops -m "$machine" -q "$@" >stdout.txt 2>stderr.txt; }

# refuses TEXT WORDS…: the command exits with 2, prints TEXT on stderr, and writes no file.
refuses() {
  local text=$1
  shift
  loops -o refused "$@"
  local found=$?
  [ "$found" -eq 2 ] || fail "validate --loops $*: exit $found, expected 2"
  grep -qF -- "$text" stderr.txt || fail "validate --loops $*: stderr lacks '$text'"
  [ ! -s stdout.txt ] || fail "validate --loops $*: an error, but stdout has text"
  [ -z "$(find refused -type f 2>/dev/null)" ] || fail "validate --loops $*: an error, but files"
}

loops --largest 64KiB --reps 4 -o out --json || fail "small loops"
"$json_check" prediction.median_abs_error errors_by.loop.0.regime errors_by.loop_and_level.0.bias \
  loops.31.relative_error loops.0.stack_ns.core runs_quiet complete provenance.host <stdout.txt ||
  fail "JSON of the loops"
"$json_check" loops.31.fits_in <out/loops.json || fail "JSON in the folder"
"$json_check" --lines schema samples_ns_per_item <out/loops.jsonl || fail "bad JSON lines"
[ "$(wc -l <out/loops.jsonl)" -eq 32 ] || fail "eight loops, two page sizes, two footprints"
grep -q '^streamUpdate  *64KiB' out/loops.txt || fail "the table lacks a loop"

# Recorded times are predicted anew on another machine: same measurements, other predictions.
sed 's/clock: .*/clock: 1.25GHz/' "$machine" >slow.yaml
gzip -k out/loops.jsonl
"$presort" validate --loops -m slow.yaml -q --replay out/loops.jsonl.gz -o again >stdout.txt 2>stderr.txt ||
  fail "a replay"
samples() { grep -o '"samples_ns_per_item":[^]]*' "$1"; }
predictions() { grep -o '"predicted_ns_per_item":[^,]*' "$1"; }
[ "$(samples out/loops.jsonl)" = "$(samples again/loops.jsonl)" ] || fail "a replay changes times"
[ "$(predictions out/loops.jsonl)" != "$(predictions again/loops.jsonl)" ] ||
  fail "a replay does not predict anew"
loops --replay out/loops.jsonl -o same || fail "a replay of an uncompressed file"
[ "$(predictions out/loops.jsonl)" = "$(predictions same/loops.jsonl)" ] ||
  fail "predictions differ from run to run"
loops --replay out/loops.jsonl -o same --max-median-error 0%
[ $? -eq 1 ] || fail "loops above the limit do not exit with 1"

refuses "a power of two" --largest 100KiB
refuses "at least 16KiB" --largest 8KiB
refuses "--reps: found 5" --reps 5
refuses "--grid does not go with --loops" --grid quick
refuses "--largest does not go with --replay" --replay out/loops.jsonl --largest 64KiB
sed 's/"randomGather"/"randomGater"/' out/loops.jsonl >bad.jsonl
refuses "bad.jsonl:1: loop: found 'randomGater'" --replay bad.jsonl
"$presort" validate -m "$machine" --largest 64KiB -o refused >stdout.txt 2>stderr.txt
[ $? -eq 2 ] || fail "--largest without --loops"
mkdir -p taken/loops.jsonl
loops --largest 16KiB -o taken
[ $? -eq 2 ] || fail "a folder in the place of loops.jsonl"

: >stderr.txt
"$presort" validate --loops -m "$machine" --largest 64KiB --reps 1000 -o stopped >stdout.txt 2>stderr.txt &
pid=$!
for _ in $(seq 600); do
  grep -q '^measure' stderr.txt && break
  sleep 0.05
done
kill -INT "$pid"
wait "$pid"
[ $? -eq 130 ] || fail "interrupted loops do not exit with 130"
grep -q 'interrupted: partial results' stopped/loops.txt || fail "the text does not say interrupted"
"$json_check" complete <stopped/loops.json || fail "bad JSON of interrupted loops"

# A complete result stays; the measurements of an interrupted run go to a folder beside it.
before=$(cksum out/loops.*)
: >stderr.txt
"$presort" validate --loops -m "$machine" --largest 64KiB --reps 1000 -o out >stdout.txt 2>stderr.txt &
pid=$!
for _ in $(seq 600); do
  grep -q '^measure' stderr.txt && break
  sleep 0.05
done
sleep 0.3
kill -INT "$pid"
wait "$pid"
[ $? -eq 130 ] || fail "loops interrupted over a result do not exit with 130"
[ "$(cksum out/loops.*)" = "$before" ] || fail "interrupted loops replaced a complete result"
grep -qF 'interrupted: out keeps the result that was there; the partial one is in out/partial' stderr.txt ||
  fail "interrupted loops do not say where they are"
[ -s out/partial/loops.jsonl ] || fail "interrupted loops are lost"

# A replay that is interrupted while predicting: loops that were not reached have no prediction,
# which the lines say.
loops --replay out/loops.jsonl -o out
[ $? -eq 2 ] || fail "a replay overwrites its own recording"
grep -q 'would be overwritten' stderr.txt || fail "the error does not say what would be overwritten"
loops --largest 1MiB --reps 4 -o many || fail "loops up to 1 MiB"
for _ in $(seq 200); do cat many/loops.jsonl; done >recorded.jsonl
: >stderr.txt
"$presort" validate --loops -m "$machine" --replay recorded.jsonl -o replayed >stdout.txt 2>stderr.txt &
pid=$!
for _ in $(seq 600); do
  grep -q '^predict' stderr.txt && break
  sleep 0.01
done
kill -TERM "$pid"
wait "$pid"
[ $? -eq 130 ] || fail "an interrupted replay does not exit with 130"
grep -q 'interrupted: partial results' replayed/loops.txt || fail "a part of a replay looks whole"
grep -q '"complete": false' replayed/loops.json || fail "the JSON of a part of a replay says complete"
grep -q '"predicted_ns_per_item":null' replayed/loops.jsonl || fail "no loop is without prediction"
grep -q '"predicted_ns_per_item":0.0' replayed/loops.jsonl && fail "a prediction of 0 ns"
grep -q '"complete":true' replayed/loops.jsonl && fail "a line of a part of a replay says complete"
[ "$(wc -l <replayed/loops.jsonl)" -eq "$(wc -l <recorded.jsonl)" ] || fail "a recorded time is lost"
[ -z "$(find . -name '*.tmp')" ] || fail "temporary files are left"

[ "$failures" -eq 0 ]
