#!/usr/bin/env bash
# Tests standard streams that are closed, full or read by nobody, for every subcommand: the exit
# status is the documented one, and files are written whole.
# usage: streams_test.sh PRESORT JSON_CHECK DATA_FOLDER
json_check=$(realpath "$2")
machine=$(realpath "$3/machine.yaml")
traces=$(realpath "$3/../../sim/trace/data")
source "$(dirname "${BASH_SOURCE[0]}")/test_folder.sh"
checks=0

# Descriptor 9: a pipe that nobody reads.
mkfifo pipe
exec 8<>pipe 9>pipe 8<&-

# with STREAMS WORDS…: runs presort; STREAMS names the streams that are closed, full or unread.
# Streams that are not named are as usual: standard input is empty, and output and error go to stdout.txt and stderr.txt.
with() {
  local streams=$1
  shift
  : >stdout.txt
  : >stderr.txt
  case $streams in
    usual) "$presort" "$@" </dev/null >stdout.txt 2>stderr.txt 9>&- ;;
    in-closed) "$presort" "$@" <&- >stdout.txt 2>stderr.txt 9>&- ;;
    out-closed) "$presort" "$@" </dev/null >&- 2>stderr.txt 9>&- ;;
    out-full) "$presort" "$@" </dev/null >/dev/full 2>stderr.txt 9>&- ;;
    out-pipe) "$presort" "$@" </dev/null >&9 2>stderr.txt 9>&- ;;
    err-closed) "$presort" "$@" </dev/null >stdout.txt 2>&- 9>&- ;;
    err-full) "$presort" "$@" </dev/null >stdout.txt 2>/dev/full 9>&- ;;
    err-pipe) "$presort" "$@" </dev/null >stdout.txt 2>&9 9>&- ;;
    all-closed) "$presort" "$@" <&- >&- 2>&- 9>&- ;;
    all-full) "$presort" "$@" </dev/full >/dev/full 2>/dev/full 9>&- ;;
    all-pipe) "$presort" "$@" </dev/null >&9 2>&9 9>&- ;;
  esac
}

readable="usual in-closed err-closed err-full err-pipe"
unreadable="out-closed out-full out-pipe all-closed all-full all-pipe"

# expect STREAMS CODE WORDS…: the command exits with CODE with these streams.
expect() {
  local streams=$1 code=$2
  shift 2
  with "$streams" "$@"
  local found=$?
  checks=$((checks + 1))
  [ "$found" -eq "$code" ] || fail "presort $* ($streams): exit $found, expected $code"
}

# matrix CODE CHECK WORDS…: runs the command with every kind of broken stream. It exits with CODE
# and prints its text where standard output can be written; otherwise it exits with 3 and a reason.
# CHECK is a command that tells whether the files are whole.
matrix() {
  local code=$1 check=$2 streams
  shift 2
  for streams in $readable $unreadable; do
    rm -rf written && mkdir written
    case " $readable " in
      *" $streams "*)
        expect "$streams" "$code" "$@"
        [ -s stdout.txt ] || fail "presort $* ($streams): nothing on standard output" ;;
      *)
        expect "$streams" 3 "$@"
        case $streams in
          out-*) grep -q '^presort: standard output cannot be written: ' stderr.txt ||
            fail "presort $* ($streams): stderr does not say what cannot be written" ;;
        esac ;;
    esac
    eval "$check" || fail "presort $* ($streams): the file is not whole"
    [ -z "$(find written -name '*.tmp')" ] || fail "presort $* ($streams): temporary files are left"
  done
}

# refused CODE WORDS…: the command fails with CODE, also where its message cannot be written.
refused() {
  local code=$1 streams
  shift
  for streams in $readable $unreadable; do
    expect "$streams" "$code" "$@"
  done
}

small=(-n 2^16 -b 2^10)
tuned_is_whole() {
  grep -q '^complete: true$' written/tuned.yaml &&
    "$presort" run "${small[@]}" --tuned written/tuned.yaml --force --reps 1 >/dev/null 2>&1
}
report_is_whole() {
  [ "$(wc -l <written/result.jsonl)" -eq 2 ] && "$json_check" prediction.points <written/validate.json &&
    grep -q '</html>' written/report.html && grep -q 'report: written/report.html' written/summary.txt
}
picture_is_whole() {
  [ -z "$(command -v gnuplot)" ] || grep -q '</svg>' written/plot.svg
}

# Commands that print short and long texts.
matrix 0 true -h
matrix 0 true --version
matrix 0 true tune -h
matrix 0 true machines
matrix 0 true machines -m "$machine"
matrix 0 true machines --json

# Commands that print results, with and without files.
matrix 0 true simulate -m "$machine" "${small[@]}"
matrix 0 true simulate -m "$machine" "${small[@]}" --json -q
matrix 0 true run "${small[@]}" --reps 1 --check
matrix 0 tuned_is_whole tune -m "$machine" "${small[@]}" -o written/tuned.yaml
matrix 0 tuned_is_whole tune -m "$machine" "${small[@]}" -o written/tuned.yaml --json -q
plot=()
[ -z "$(command -v gnuplot)" ] || plot=(--plot written/plot.svg)
matrix 0 picture_is_whole compare -m "$machine" --set cpu.caches.L2.size=512KiB,2MiB "${small[@]}" \
  --model-only "${plot[@]}"

cat >grid.yaml <<GRID
presort: planGrid/1
problems: [{op: multireduce, n: 2^16, m: 2^8, dist: uniform, types: u32+u32}]
plans: [{sortBits: 0, pageSize: 4KiB}, {sortBits: 4, pageSize: 4KiB}]
GRID
"$presort" validate -m "$machine" --grid grid.yaml --reps 4 -q -o recorded >/dev/null 2>stderr.txt ||
  fail "a small validation"
replay=(validate -m "$machine" --replay recorded/result.jsonl --model -o written)
matrix 0 report_is_whole "${replay[@]}"
matrix 0 report_is_whole "${replay[@]}" --json
matrix 1 report_is_whole "${replay[@]}" --max-median-error 0%

printf '%s\n' 'CPU#00 Freq: 2500.00MHz Type: "A processor"' '*** Random Read Latency ***' 'Stride, 64, 4K,' \
  '  16.0K, 4, 4,' ' 128.0K, 14, 14,' >matrix.txt
fit=(fit --matrix matrix.txt -m "$machine")
matrix 0 picture_is_whole "${fit[@]}" --cells none "${plot[@]}"
"$presort" "${fit[@]}" --budget 1 -q -o fitted.yaml >/dev/null 2>stderr.txt || fail "a small fit"
matrix 0 'cmp -s fitted.yaml written/fitted.yaml' "${fit[@]}" --budget 1 -o written/fitted.yaml

probed() {  # MEMORY_LATENCY: a machine file as probe would write it
  sed -e "s|^cpu:|provenance: {source: probe, uncertainty.memory.latency: 2%, quality.memory.latency: good}\n&|" \
    -e "s|latency: 100ns|latency: $1|" "$machine"
}
probed 100ns >monday.yaml
probed 101ns >friday.yaml
probed 130ns >moved.yaml
matrix 0 true probe --compare monday.yaml --compare friday.yaml
matrix 1 true probe --compare monday.yaml --compare moved.yaml --json

# No command needs a folder for temporary files.
if [ -n "$(command -v gnuplot)" ]; then
  rm -rf written && mkdir written
  TMPDIR=/no/such/folder expect usual 0 "${fit[@]}" --cells none "${plot[@]}"
  picture_is_whole || fail "no picture without a folder for temporary files"
  TMPDIR=/no/such/folder expect usual 0 "${replay[@]}"
  [ -s written/accuracy.svg ] || fail "no plots without a folder for temporary files"
fi

# Traces: recorded accesses are not lost when the text is, and nothing else gets into the recording.
trace=(simulate -m "$machine" --trace "$traces/valid/loop.lackey")
"$presort" "${trace[@]}" --record usual.presort >/dev/null 2>stderr.txt || fail "a recorded trace"
recorded='cmp -s usual.presort written/t.presort'
matrix 0 "$recorded" "${trace[@]}" --record written/t.presort
matrix 0 "$recorded" "${trace[@]}" --record written/t.presort --interval 10
matrix 0 "$recorded" "${trace[@]}" --record written/t.presort --mrc
"$presort" simulate -m "$machine" -n 2^12 -b 2^8 --full --record usual.presort >/dev/null 2>stderr.txt ||
  fail "a recorded kernel"
matrix 0 "$recorded" simulate -m "$machine" -n 2^12 -b 2^8 --full --draw --record written/t.presort
for streams in in-closed all-closed; do
  expect "$streams" 2 simulate -m "$machine" --trace - --format din
done
# Unread statistics end the simulation of a trace without end.
(yes '0 10' | timeout 20 "$presort" simulate -m "$machine" --trace - --format din --interval 1000 \
  >&9 2>stderr.txt 9>&-)
[ $? -eq 3 ] || fail "a trace without end goes on when nobody reads its statistics"

# Errors: the exit status is the same when standard error cannot be written.
refused 2
refused 2 simulat
refused 2 simulate -m missing.yaml "${small[@]}"
refused 2 simulate -m "$machine" "${small[@]}" --bogus
refused 2 machines -m missing.yaml
refused 2 "${trace[@]}" --format din
refused 3 run -n 2^40 -b 4

# The command also reports when its reader ends early.
"$presort" machines 2>stderr.txt | head -n 1 >stdout.txt
codes=("${PIPESTATUS[@]}")
[ "${codes[0]}" -eq 3 ] || [ "${codes[0]}" -eq 0 ] || fail "machines | head: exit ${codes[0]}"

# A warning that cannot be printed does not stop the work.
"$presort" tune -m "$machine" "${small[@]}" -q -o tuned.yaml >/dev/null 2>stderr.txt || fail "tune"
sed '/^ *L[1-9][a-z]*[.]/d; s/compiler: .*/compiler: abacus 1/' tuned.yaml >warned.yaml
matrix 0 true run "${small[@]}" --tuned warned.yaml --reps 1

# Control characters that a terminal would act on are shown escaped.
escape=$'\x1b[2J\xff\xe2\x80\xae'
expect usual 2 simulate -m "${escape}.yaml" "${small[@]}"
grep -qF '\x1b[2J\xff\u202e.yaml' stderr.txt || fail "the name of a file is not escaped in an error"
expect usual 2 "sim${escape}ulate"
grep -qF 'sim\x1b[2J\xff\u202eulate' stderr.txt || fail "a value is not escaped in an error"
printf '\x05\x00\x00\x00\x07\x00\x00\x00' >"x${escape}.u32"
expect usual 2 simulate -m "$machine" -n 2 -b 8 --dist "file:x${escape}.u32"
grep -qF -- '--dist: found the character U+001B' stderr.txt || fail "the path of labels may hold anything"
if LC_ALL=C grep -q '[^ -~]' stdout.txt stderr.txt; then
  fail "a refusal has bytes that are not printable ASCII"
fi

echo "$checks runs checked, $failures failed"
[ "$failures" -eq 0 ]
