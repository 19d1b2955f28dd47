#!/usr/bin/env bash
# Tests the command with good and bad input: exit codes, messages, one JSON document, no
# half-written file.
# usage: command_test.sh PRESORT JSON_CHECK DATA_FOLDER
json_check=$(realpath "$2")
data=$(realpath "$3")
machine=$(realpath "$3/machine.yaml")
source "$(dirname "${BASH_SOURCE[0]}")/test_folder.sh"
checks=0

# expect CODE TEXT WORDS…: the command exits with CODE and says TEXT on stderr, nothing on stdout.
expect() {
  local code=$1 text=$2
  shift 2
  "$presort" "$@" >stdout.txt 2>stderr.txt
  local found=$?
  checks=$((checks + 1))
  [ "$found" -eq "$code" ] || fail "presort $*: exit $found, expected $code"
  [ -z "$text" ] || grep -qF -- "$text" stderr.txt || fail "presort $*: stderr lacks '$text'"
  [ "$code" -eq 0 ] || [ ! -s stdout.txt ] || fail "presort $*: an error, but stdout has text"
}

# expect_json FIELDS WORDS…: the command exits with 0 and prints one JSON document with the
# comma-separated fields, and a schema.
expect_json() {
  local fields=${1//,/ }
  shift
  checks=$((checks + 1))
  "$presort" "$@" >stdout.txt 2>stderr.txt || fail "presort $*: exit $?"
  # shellcheck disable=SC2086
  "$json_check" schema $fields <stdout.txt 2>>stderr.txt || fail "presort $*: bad JSON"
}

# says TEXT WORDS…: the command exits with 0 and prints TEXT on stdout.
says() {
  local text=$1
  shift
  checks=$((checks + 1))
  "$presort" "$@" >stdout.txt 2>stderr.txt || fail "presort $*: exit $?"
  grep -qF -- "$text" stdout.txt || fail "presort $*: stdout lacks '$text'"
}

small=(-n 2^16 -b 2^10)
simulate=(simulate -m "$machine" "${small[@]}")

# Tests of usage: help, versions, unknown options.
expect 0 "" -h
expect 0 "" --version
for subcommand in probe calibrate selfcheck simulate tune run validate report compare campaign fit machines doctor; do
  expect 0 "" "$subcommand" -h
  grep -q 'Examples:' stdout.txt || fail "presort $subcommand -h has no example"
done
expect 2 "Usage:"
says "presort help SUBCOMMAND" help
says "with --strict: other programs used the processors" help
for topic in machine-keys plan-keys problem-keys campaign-keys file-formats commands json-fields exit-codes; do
  says "presort help $topic" help
  "$presort" help $topic | cmp -s - "$data/../../../docs/reference/$topic.md" || fail "docs/reference/$topic.md is another"
done
expect 2 "did you mean 'plan-keys'" help plan-kees
for subcommand in probe calibrate selfcheck simulate tune run validate report compare campaign fit machines doctor; do
  says "presort $subcommand: " help "$subcommand"
done
says "presort tune: " --help tune
for word in version -V --version; do
  says "presort " "$word"
done
says "compiler " version
says ".TH PRESORT 1" help --man
says "complete -F _presort presort" completion bash
says "tune choose" completion words tu
expect 2 "did you mean 'tune'" help --man tun
expect 2 "'run' is one word too many" help --man tune run
expect 2 "accepted: bash, zsh, fish" completion tcsh
expect 2 "accepted: bash, zsh, fish" completion
expect 2 "'5' is one word too many" completion bash 5
expect 2 "did you mean 'tune'" help tun
expect 2 "'run' is one word too many" help tune run
expect 2 "'5' is one word too many" version 5
expect 2 "-n COUNT: the value is missing" run -n
expect 2 "--json takes no value" run --json=5
expect 2 "did you mean 'simulate'" simulat
expect 2 "did you mean '--buckets'" simulate --bucket 5
expect 2 "unknown option" simulate --traice file
expect 2 "unknown option" simulate --see 1
expect 2 "'stray' belongs to no option" simulate stray
expect 2 "is missing" simulate "${small[@]}"
expect 2 "given twice" "${simulate[@]}" -n 5

# Tests of option values: numbers, plans, types.
expect 2 "n" run -n 0 -b 4
expect 2 "m" run -n 4 -b 0
expect 2 "-n" run -n -1 -b 4
expect 2 "-n" run -n 12x -b 4
expect 2 "u32" run -n 4 -b 2^33 --type u32+u32
expect 2 "--op" run "${small[@]}" --op multireduse
expect 2 "--dist" run "${small[@]}" --dist zipf:0
expect 2 "--type" run "${small[@]}" --type u7
expect 2 "--type: found 'u32', accepted: types of label and value, such as u32+f64" \
  run "${small[@]}" --type u32
expect 2 "--type: found 'u32'" tune -m "$machine" "${small[@]}" --type u32
expect 2 "--type: found 'u32'" compare -m "$machine" --set memory.latency=90ns --type u32
expect 2 "did you mean 'sortBits'" run "${small[@]}" --plan sortBit=4
expect 2 "sortBits" run -n 2^16 -b 2^4 --plan sortBits=12
expect 2 "" run "${small[@]}" --plan passes=2
expect 2 "--reps" run "${small[@]}" --reps 0
expect 2 "exclude each other" run "${small[@]}" --plan sortBits=4 --tuned x.yaml
expect 2 "accepted: 1 to" "${simulate[@]}" --plan threads=1000
expect 0 "note: 64 threads take turns on the " run "${small[@]}" --threads 64 --reps 1
expect 0 "note: 64 threads take turns on the " run "${small[@]}" --plan threads=64 --reps 1
expect 2 "threads: found '64', accepted: 1 to 2, the cores of example" "${simulate[@]}" --plan threads=64
expect 2 "threads=64" "${simulate[@]}" --plan threads=64 --model
expect 2 "--threads: found 1e9, accepted: 1 to 1024" run "${small[@]}" --threads 1e9
expect 2 "--threads: found 0, accepted: 1 to 1024" run "${small[@]}" --threads 0
echo 'presort: planGrid/1
problems: [{op: multireduce, n: 2^16, m: 2^10, dist: uniform, types: u32+u32}]
plans: [{sortBits: 4}, {sortBits: 4, threads: 64}]' >threads.yaml
expect 0 "note: plans of the grid left out, for more threads than cores (2): 1" \
  tune -m "$machine" "${small[@]}" --plans threads.yaml -q
expect 2 "threads: found '2', accepted: 1" run "${small[@]}" --plan strategy=plainRadix,sortBits=4,threads=2
expect 2 "--threads: found 0" tune -m "$machine" "${small[@]}" --threads 0
expect 0 "" run "${small[@]}" --plan threads=2,sortBits=6 --reps 1 --check
expect 0 "" run "${small[@]}" --plan threads=3,strategy=privateTables --reps 1 --check
expect 0 "" run "${small[@]}" --plan sortBits=0 --plan sortBits=6,passes=2 --reps 3 --check -m cascade-lake-vm
grep -q 'checked: all equal' stdout.txt || fail "run with two plans does not say that it checked them"
[ "$(grep -c ' %  [0-9]' stdout.txt)" -eq 2 ] || fail "run with -m has no share of the ceiling for each plan"
expect_json "runs.0.of_ceiling,runs.1.first_over_this,problem.n" \
  run "${small[@]}" --plan sortBits=0 --plan sortBits=6 --reps 1 --json
expect 0 "" run "${small[@]}" --plan sortBits=0 --plan sortBits=6 --reps 1 --csv
[ "$(wc -l <stdout.txt)" -eq 3 ] || fail "run --csv of two plans has not three lines"
expect 0 "" run "${small[@]}" --reps 1 --markdown
expect 2 "exclude each other" run "${small[@]}" --csv --json
whatif=(compare -m "$machine" --set memory.latency=90ns,180ns "${small[@]}" --model-only -q)
expect 0 "" "${whatif[@]}" --csv
[ "$(wc -l <stdout.txt)" -eq 3 ] || fail "compare --csv of two machines and one m has not three lines"
grep -q '^machine,m,direct_ns,presorted_ns,direct_over_presorted,plan$' stdout.txt || fail "compare --csv has no names"
expect 0 "" "${whatif[@]}" --markdown
[ "$(grep -c '^|' stdout.txt)" -eq 4 ] || fail "compare --markdown has not four lines"
expect 2 "exclude each other" "${whatif[@]}" --csv --markdown
expect 0 "" tune -m "$machine" "${small[@]}" --model-only -q --csv
[ "$(wc -l <stdout.txt)" -eq 2 ] || fail "tune --csv of one problem has not two lines"
expect 2 "exclude each other" tune -m "$machine" "${small[@]}" --json --csv
expect 2 "did you mean 'sortBits'" run "${small[@]}" --plan sortBits=0 --plan sortBit=4
expect 0 "" "${simulate[@]}" --plan strategy=privateTables
expect 2 "--measure: found 0" tune -m "$machine" "${small[@]}" --measure 0
expect 2 "the requirement passes=2" tune -m "$machine" "${small[@]}" --require sortBits=0,passes=2
expect 2 "sortbits" tune -m "$machine" "${small[@]}" --require sortbits=8
expect 2 "--page-size" tune -m "$machine" "${small[@]}" --page-size 1GiB
expect 2 "FIRST..LAST" tune -m "$machine" -n 2^16 -b 2^12..2^8
expect 2 "--ci" "${simulate[@]}" --ci wide
expect 2 "--set" compare -m "$machine" --set cpu.caches.L2.sice=2MiB
expect 2 "two -m" compare -m "$machine"

# Tests of files that are missing, malformed or unwritable.
expect 2 "missing.yaml" simulate -m missing.yaml "${small[@]}"
expect 2 "-m" simulate -m no-such-machine "${small[@]}"
expect 2 "missing.yaml" run "${small[@]}" --tuned missing.yaml
expect 2 "missing.u32" run "${small[@]}" --dist file:missing.u32
expect 2 "no-such-folder" tune -m "$machine" "${small[@]}" -o no-such-folder/tuned.yaml
sed 's/dispatchWidth/dispatchWith/' "$machine" >typo.yaml
expect 2 "typo.yaml:7" simulate -m typo.yaml "${small[@]}"
printf '\x05\x00\x00\x00\x09\x00\x00\x00' >labels.u32
expect 2 "labels.u32" run -n 2 -b 8 --dist file:labels.u32
printf '\x05\x00\x00\x00\x00\x00\x00\x70' >large.u64
expect 2 "large.u64: m: found" tune -m "$machine" --labels large.u64 -q
expect 2 "large.u64: m: found" run --labels large.u64 -q
expect 0 "2 labels are too few to tell how they are distributed: all plans are simulated" \
  tune -m "$machine" --labels labels.u32 -q
grep -q 'm  *direct ns' stdout.txt || fail "a file of few labels has no plan"
# Labels of a file: n and m are the file's unless options give them; the command says which it
# takes.
printf '3\n0\n6\n' >three.txt
expect_json "problem.n,machine_load.verdict,too_busy" run --labels three.txt --reps 1 --json
grep -q '"n": 3,' stdout.txt && grep -q '"m": 7,' stdout.txt || fail "n and m are not the file's"
expect 0 "note: n = 3, m = 7 of three.txt" run --dist file:three.txt --reps 1
expect 0 "note: m = 7 of three.txt" run --dist file:three.txt -n 3 --reps 1
expect 0 "warning: three.txt has 3 labels: they are repeated 21845 times to make n = 65535 inputs" \
  run --labels three.txt -n 65535 --reps 1 --check
expect 0 "note: three.txt has 3 labels, of which the first 2 are taken" \
  run --labels three.txt -n 2 --reps 1 --check
expect 0 "note: n = 3, m = 7 of three.txt" simulate -m "$machine" --labels three.txt
expect 0 "note: n = 3, m = 7 of three.txt" simulate -m "$machine" --labels three.txt --mrc
expect 0 "note: n = 3, m = 7 of three.txt" tune -m "$machine" --dist file:three.txt -q
expect 0 "note: n = 3, m = 7 of three.txt" \
  compare -m "$machine" --set memory.latency=90ns --labels three.txt -q
for command in "run" "simulate -m $machine" "tune -m $machine" \
  "compare -m $machine --set memory.latency=90ns"; do
  # shellcheck disable=SC2086
  expect 2 "--labels and --dist exclude each other" $command --labels three.txt --dist uniform
  # shellcheck disable=SC2086
  expect 2 "three.txt:3: label 6 at index 2 is not below the number of buckets, 6" \
    $command --labels three.txt -b 6
done
# A machine file of an older version: a key that no longer exists is ignored, and named once.
sed 's/entries: 224,/& loads: 72,/' "$machine" >old.yaml
ignored='old.yaml:8:33: cpu.window.loads: ignored since presort 0.1.0: the size of the load buffer'
for command in "simulate ${small[*]}" "tune ${small[*]} --model-only -q" "machines" \
  "compare --set memory.latency=90ns ${small[*]} --model-only -q"; do
  # shellcheck disable=SC2086
  expect 0 "note: $ignored" $command -m old.yaml
  [ "$(grep -c 'ignored since' stderr.txt)" -eq 1 ] || fail "$command says not once what it ignores"
done
expect 0 "" machines -m "$machine"
grep -q 'ignored' stderr.txt && fail "a key is ignored that the file does not have"
expect 2 "--set: found 'cpu.window.loads', which is ignored since presort 0.1.0" \
  compare -m "$machine" --set cpu.window.loads=64 "${small[@]}"
# A machine file without the cache levels that predictions need.
sed '/{name: L[1-3]d*,/d; s/^  caches:.*/  caches: []/' "$machine" >bare.yaml
expect 2 "bare.yaml:10:11: cpu.caches: found 'none', accepted: at least one cache level" \
  tune -m bare.yaml -n 2^20 -b 2^10 -q
sed 's/^  tlb:/  walk: {walkers: 1, entersAt: L9}\n  tlb:/' "$machine" >bare.yaml
expect 2 "entersAt: found 'L9'" tune -m bare.yaml -n 2^20 -b 2^10 -q
expect 2 "found 2, accepted by the closed form of labels that it looks at: at least 3072" \
  simulate -m "$machine" -n 2 -b 10 --dist file:labels.u32 --model

expect 2 "exclude" "${simulate[@]}" --model --full

# Tests of what the system may lack: memory, threads, devices.
expect 3 "memory" run -n 2^40 -b 4
grep -qE 'needed [0-9.]+([KMGT]iB), available [0-9.]+\1$' stderr.txt || fail "two units in one message"
[ -e /dev/nvidiactl ] || expect 3 "CUDA" run "${small[@]}" --device gpu
[ -e /dev/nvidiactl ] || expect 3 "CUDA" probe --gpu -o probed.yaml
[ -e /dev/nvidiactl ] || expect 3 "CUDA" run --op histogram -n 2^20 -b 256 --type u8+u32 --device gpu
expect 2 "found 'u16' for labels, accepted: u32, u64; a histogram on device gpu" \
  run --op histogram -n 2^20 -b 2^10 --type u16+u32
expect 2 "found 'u16' for labels, accepted: u32, u64; a histogram on device gpu" \
  tune -m "$machine" --op histogram -n 2^20 -b 2^10 --type u16+u32
expect 2 "found 'u8' for labels, accepted: u32, u64; a histogram on device gpu" \
  simulate -m "$machine" --op histogram -n 2^20 -b 2^8 --type u8+u32
expect 2 "--machine goes with --gpu" probe -m "$machine" -o probed.yaml
expect 2 "no section gpu" tune -m "$machine" "${small[@]}" --device gpu

# Operations without buckets: options that they do not take, and sizes that cannot be.
expect 2 "--buckets does not go with --op scan: a scan has no buckets" run --op scan -n 2^16 -b 4
expect 2 "dist: found 'zipf:1', accepted: uniform: a scan has no labels" run --op scan -n 2^16 --dist zipf:1
expect 2 "--shape does not go with --op scan" run --op scan -n 2^16 --shape 4x4
expect 2 "--shape: found none, needed by --op reduceAxes" run --op reduceAxes
expect 2 "--axes: found none, needed by --op reduceAxes" run --op reduceAxes --shape 4x4
expect 2 "--shape: found '4x0x2', accepted: 1 to 8 extents" run --op reduceAxes --shape 4x0x2 --axes 1
expect 2 "axes: found '3', accepted: one axis or several from 0 to 1" run --op reduceAxes --shape 4x4 --axes 3
expect 2 "--axes: found '1,1', accepted: axes" run --op reduceAxes --shape 4x4 --axes 1,1
expect 2 "-n does not go with --op reduceAxes" run --op reduceAxes --shape 4x4 --axes 1 -n 16
expect 2 "--buckets does not go with --op reduceAxes" run --op reduceAxes --shape 4x4 --axes 1 -b 4
expect 2 "op: found 'compact' on a CPU, accepted: any other" run --op compact -n 2^16
expect 2 "accepted by predictions for a CPU: any other" \
  simulate -m "$machine" --op reduceAxes --shape 64x64 --axes 1
expect 2 "accepted by predictions for a CPU: any other" \
  tune -m "$machine" --op reduceAxes --shape 64x64 --axes 1 --model-only -q
expect 2 "op: found 'compact' on a CPU" tune -m "$machine" --op compact -n 2^16 --model-only -q
expect 2 "op: found 'multireduceInOrder' on a CPU" run --op multireduceInOrder -n 2^16 -b 16
says "checked: equal to the plain loop" run --op scan -n 2^16 --check --reps 1 -q
says "reduceAxes 16x64x8 over 0,2 u32+f64" \
  run --op reduceAxes --shape 16x64x8 --axes 0,2 --type u32+f64 --check --reps 1 -q
grep -q "checked: equal" stdout.txt || fail "a reduceAxes is not checked"
if [ ! -e /dev/nvidiactl ]; then
  for words in "--op scan" "--op compact -b 3" "--op multireduceInOrder" "--op reduceAxes --shape 512x512 --axes 0"; do
    # shellcheck disable=SC2086
    expect 3 "CUDA" run $words --device gpu
  done
fi

# Work that can be done without threads or memory is done; other work is refused with exit 3.
if (ulimit -v 64000; "$presort" --version) >/dev/null 2>&1; then  # not with a sanitizer
  (ulimit -v 64000; "$presort" tune -m "$machine" -n 2^16 -b 2^8..2^14 --model-only -q) >stdout.txt 2>stderr.txt ||
    fail "tune with little address space: exit $?"
  (ulimit -v 64000; "$presort" run -n 2^26 -b 2^10) >stdout.txt 2>stderr.txt
  [ $? -eq 3 ] || fail "run beyond its address space does not exit with 3"
  grep -q 'not enough memory: needed' stderr.txt || fail "run beyond its address space does not say so"
  (ulimit -d 100000; "$presort" run -n 2^26 -b 2^10) >stdout.txt 2>stderr.txt
  [ $? -eq 3 ] || fail "run beyond its data limit does not exit with 3"
fi
rm -f refused.yaml
"$presort" tune -m "$machine" -n 2^36 -b 2^10 --model-only --measure 3 -o refused.yaml -q >stdout.txt 2>stderr.txt
[ $? -eq 3 ] || fail "timed runs that do not fit into memory do not exit with 3"
grep -q 'warning: .*n=2^36.*: no timed runs, chosen by predictions: .*not enough memory: needed' stderr.txt ||
  fail "timed runs that do not fit into memory are not named"
grep -q 'sortBits' refused.yaml || fail "what was predicted is lost when it cannot be timed"
rm -f refused.yaml

# Results of every subcommand, as text and as JSON.
"$presort" tune -m "$machine" -n 2^20 -b 2^22 --explain -q >stdout.txt 2>stderr.txt || fail "tune --explain"
for words in 'Without a pre-sort (' 'With one (sort ' 'sorting by the top ' 'Time stacks:' 'All plans:'; do
  grep -qF "$words" stdout.txt || fail "tune --explain does not say '$words'"
done
expect_json "explanation,entries.0.explanation" tune -m "$machine" "${small[@]}" --explain --json
"$presort" tune -m "$machine" "${small[@]}" --measure 3 --explain -q >stdout.txt 2>stderr.txt || fail "tune --measure"
for words in 'by 3 timed runs' 'ns an input as predicted' 'expected  predicted' '  <- taken'; do
  grep -qF -- "$words" stdout.txt || fail "tune --measure --explain does not say '$words'"
done
expect_json "runs.2.plan.sortBits,runs.2.ns_per_input,entries.0.runs.0.ns_per_input" \
  tune -m "$machine" "${small[@]}" --measure 3 --json
expect_json "predicted_ns_per_input,stack_ns.core,phases.0.name,levels.0.misses,walks,accesses_per_second,ci95_relative" \
  "${simulate[@]}" --json
expect_json "predicted_ns_per_input,stack_ns.core,phases.0.name" "${simulate[@]}" --model --plan sortBits=4 --json
expect_json "predicted_ns_per_input" "${simulate[@]}" --dependent --plan sortBits=4 --json
# Tests of simulated GPUs.
gpu=(simulate -m h200 --device gpu -n 2^20 -b 2^16)
expect_json "predicted_ns_per_input,gpu,phases.0.busy.0.ns_per_input,phases.0.counts.sectors,phases.1.l2_hit_ratio,machine_values.gpu_hardware.l2.size_bytes" \
  "${gpu[@]}" --plan sortBits=4 --json
says "bound" "${gpu[@]}"
says "on gtx-690" simulate -m gtx-690 --device gpu -n 2^20 -b 2^10 --op scatter
expect 2 "no section gpuHardware" simulate -m "$machine" "${small[@]}" --device gpu
expect 2 "multiple of the 2 partitions" "${gpu[@]}" --set gpuHardware.l2.slices=95
expect 2 "accepted: multireduce, histogram, scatter, gather" "${gpu[@]}" --op multiscan
expect 2 "goes with --device cpu" "${gpu[@]}" --model
expect 2 "goes with --device gpu" "${simulate[@]}" --set memory.latency=90ns
# Tests of compared GPUs.
expect_json "device,machines.1.points.0.presorted_ns_per_input,machines.1.points.0.plan.strategy,crossovers.values.1.direct_over_presorted" \
  compare --device gpu -m h200 --set gpuHardware.l2.size=120MiB -n 2^16 -b 2^8 --json -q
says "gpu.ceilings.atomicsL2" \
  compare --device gpu -m h200 --set gpu.ceilings.atomicsL2=50G/s,200G/s -n 2^28 -b 2^20,2^24 --model-only -q
expect 2 "accepted: gpuHardware.KEY=VALUE" \
  compare --device gpu -m h200 --set memory.latency=90ns -n 2^16 -b 2^8
expect 2 "accepted: gpu.KEY=VALUE" \
  compare --device gpu -m h200 --set plan.sortBits=4 -n 2^16 -b 2^8 --model-only
expect 2 "no section gpuHardware" \
  compare --device gpu -m "$machine" -m h200 -n 2^16 -b 2^8
expect 2 "accepted: multireduce, histogram, scatter, gather" \
  compare --device gpu -m h200 --set gpuHardware.l2.size=120MiB --op multiscan -n 2^16 -b 2^8
expect 2 "size" compare --device gpu -m h200 --set gpuHardware.l2.size=-1 -n 2^16 -b 2^8
# Tests of validations of GPU plans.
cat >gpu.jsonl <<'END'
{"op": "multireduce", "types": "u32+u32", "n": 65536, "m": 256, "dist": "uniform", "plans": {"sortBits=0,strategy=globalSets,rangePasses=1,nSets=1": 0.2, "sortBits=0,strategy=sharedSets,rangePasses=1,nSets=1": 0.1, "sortBits=4,passes=1,strategy=sharedSets,rangePasses=1,nSets=1": 0.3}}
{"op": "multireduce", "types": "u32+u32", "n": 65536, "m": 256, "labels": "cells", "plans": {"sortBits=0,strategy=globalSets,rangePasses=1,nSets=1": 0.2}}
{"op": "multiscan", "types": "u32+u32", "n": 65536, "m": 256, "plans": {"sortBits=0,strategy=sharedSets,rangePasses=1,nSets=1": 0.2}}
END
expect_json "problems,points,scores.0.errors.median_abs_error,scores.2.regret.mean_regret,baselines.0.name,files" \
  validate --device gpu -m h200 --replay gpu.jsonl -o gpu-out --json -q
for words in "1 problems left out" "closed form" "simulated" "plain atomics"; do
  grep -qF -- "$words" gpu-out/summary.txt || fail "validate --device gpu does not say '$words'"
done
grep -q "NVIDIA H200, simulated" gpu-out/report.html || fail "the page lacks simulated times"
expect 0 "" validate --device gpu -m h200 --replay gpu-out/result.jsonl -o gpu-again --model -q
"$presort" validate --device gpu -m h200 --replay gpu.jsonl -o gpu-out --max-median-error 0.1% -q \
  >/dev/null 2>stderr.txt
[ $? -eq 1 ] || fail "validate --device gpu above its limit does not exit with 1"
grep -q 'median error .* is above the limit' stderr.txt || fail "it does not say which limit"
expect 2 "no section gpu and no section gpuHardware" \
  validate --device gpu -m "$machine" --replay gpu.jsonl -o gpu-none
expect 2 "no section gpu;" validate --device gpu -m gtx-690 --replay gpu.jsonl --model -o gpu-none
expect 2 "found neither of --replay and --draw" validate --device gpu -m h200 -o gpu-none
expect 2 "goes with --device cpu" validate --device gpu -m h200 --replay gpu.jsonl --quick -o gpu-none
expect 2 "--draw: found 5" validate --device gpu -m h200 --draw 5 -o gpu-none
[ -e /dev/nvidiactl ] || expect 3 "CUDA" validate --device gpu -m h200 --draw 20 -o gpu-none -q
[ ! -e gpu-none/validate.json ] || fail "a refused validation wrote a result"
expect_json "ns_per_input.median,ns_per_input.reps,plan.sortBits,checked" \
  run "${small[@]}" --plan sortBits=4 --reps 2 --check --json
expect_json "plan,predicted_ns_per_input,direct_ns_per_input,matters,crossover_m,entries.0.plan" \
  tune -m "$machine" "${small[@]}" -o tuned.yaml --json
{ cat "$machine"; cat "$data/gpu_section.yaml"; } >with-gpu.yaml
expect_json "entries.0.device,entries.0.plan.strategy,entries.0.origin,crossover_m" \
  tune -m with-gpu.yaml -n 2^28 -b 2^22 --device gpu -o gpu.yaml --json
expect_json "entries.0.device,entries.0.plan.strategy,entries.0.problem.types" \
  tune -m with-gpu.yaml --op histogram -n 2^28 -b 2^16 --type u16+u32 --device gpu -o gpu16.yaml --json
grep -q "u16+u32" gpu16.yaml || fail "tuned rows of labels of two bytes do not say so"
expect 2 "found 'u16' for labels of a multireduce, accepted: u32, u64; a histogram has" \
  tune -m with-gpu.yaml -n 2^28 -b 2^16 --type u16+u32 --device gpu
expect 2 "m: found '257', accepted: at most 2^8" \
  tune -m with-gpu.yaml --op histogram -n 2^28 -b 257 --type u8+u32 --device gpu
for words in "--op scan" "--op compact" "--op reduceAxes --shape 512x512x1024 --axes 1"; do
  # shellcheck disable=SC2086
  says "the only plan: does not matter" tune -m with-gpu.yaml $words --device gpu
done
says "multireduceInOrder" \
  tune -m with-gpu.yaml --op multireduceInOrder -n 2^28 -b 2^16 --device gpu -o in-order.yaml
grep -q "multireduceInOrder" in-order.yaml || fail "a tuned multireduce in order is not said to be one"
expect_json "entries.0.problem.shape,entries.0.problem.axes,entries.0.matters" tune -m with-gpu.yaml \
  --op reduceAxes --shape 512x512x1024 --axes 0,2 --device gpu -o axes.yaml --json
grep -q 'shape: 512x512x1024, axes: "0,2"' axes.yaml || fail "a tuned reduction lacks its axes"
[ -e /dev/nvidiactl ] || expect 3 "CUDA" run --op reduceAxes --shape 512x512x1024 --axes 0,2 \
  --device gpu --tuned axes.yaml
expect_json "machines.0.gpu.ceilings.read_bytes_per_second" machines -m with-gpu.yaml --json
expect 2 "no entry of device cpu" run "${small[@]}" --tuned gpu.yaml
expect 2 "--threads goes with --device cpu, found --device gpu" \
  tune -m with-gpu.yaml "${small[@]}" --device gpu --threads 2
expect_json "machines.0.points.0.m,machines.1.points.0.plan" \
  compare -m "$machine" --set cpu.caches.L2.size=2MiB "${small[@]}" --json
expect_json "crossovers.key,crossovers.m.0,crossovers.values.1.crossover_m,machines.1.points.0.m" \
  compare -m "$machine" --set cpu.caches.L2.size=512KiB,2MiB "${small[@]}" --model-only --plot l2.svg --json
grep -q '</svg>' l2.svg || fail "compare --plot wrote no picture"
expect 0 "" compare -m "$machine" --set plan.pageSize=4KiB,2MiB --set 'plan.sortBits=[0,8]' "${small[@]}" --model-only -q
grep -q '^plan.pageSize  crossover  2^10$' stdout.txt || fail "compare of two values has no table"
expect 2 "did you mean 'cpu.caches.L2.size'" compare -m "$machine" --set cpu.caches.L2.sice=1MiB,2MiB
expect 2 "no-such-folder" compare -m "$machine" --set memory.latency=90ns,95ns --plot no-such-folder/p.svg
expect_json "machines" machines --json
expect_json "findings.0.subject,findings.9.verdict,findings.10.remedy,machine_load" doctor -m cascade-lake-vm --json
grep -q 'of another machine' stdout.txt || fail "doctor takes the file of another machine for this one"
expect 2 "no-such-machine" doctor -m no-such-machine.yaml
expect_json "holds,items.0.name,items.0.asked,items.0.found,items.6.loads" \
  selfcheck -m cascade-lake-vm --json
printf '%s\n' 'CPU#00 Freq: 2500.00MHz Type: "A processor"' '*** Random Read Latency ***' 'Stride, 64, 4K,' \
  '  16.0K, 4, 4,' ' 128.0K, 14, 14,' >matrix.txt
expect_json "parameters.0.value,scores.0.median_abs_error,cells.0.simulated_cycles,machine_values" \
  fit --matrix matrix.txt -m "$machine" -o fitted.yaml --json
expect 0 "" fit --matrix matrix.txt -m "$machine" --output again.yaml
expect 0 "" fit --matrix matrix.txt -m "$machine" --out former.yaml
cmp -s again.yaml former.yaml || fail "fit --out is not fit --output"
expect 0 "" simulate -m fitted.yaml "${small[@]}" --draw
expect 2 "exclude each other" "${simulate[@]}" --draw --json
expect 2 "matrix.txt" fit --matrix no-matrix.txt -m "$machine" -o refused.yaml
expect 2 "--cells" fit --matrix matrix.txt -m "$machine" --cells linear -o refused.yaml
expect 2 "-o" fit --matrix matrix.txt -m "$machine"
sed 's/ 14, 14/ x, 14/' matrix.txt >bad-matrix.txt
expect 2 "bad-matrix.txt:5" fit --matrix bad-matrix.txt -m "$machine" -o refused.yaml
[ ! -e refused.yaml ] || fail "a refused matrix left a machine file"
sed 's|bandwidth: 50GB/s|bandwidth: 50GB/s, perCoreBandwidth: 50GB/s|' "$machine" >too-fast.yaml
"$presort" selfcheck -m too-fast.yaml >stdout.txt 2>stderr.txt
[ $? -eq 1 ] || fail "selfcheck of a bandwidth that 12 fill buffers cannot reach"
grep -q 'FAILS' stdout.txt || fail "selfcheck does not say what fails"
"$presort" run "${small[@]}" --check --reps 2 >stdout.txt 2>stderr.txt || fail "a checked run"
grep -q 'equal to the plain loop' stdout.txt || fail "a checked run does not say so"

# Results made from the probe of a busy machine say so.
sed "s|^cpu:|provenance: {source: probe, load: too_busy}\n&|" "$machine" >disturbed.yaml
disturbed='was probed on a busy machine (load: too_busy): crossovers may be off by a factor of four'
expect 0 "note: disturbed.yaml $disturbed" tune -m disturbed.yaml "${small[@]}" -q -o disturbed-tuned.yaml
grep -q '^pre-sorting .* at m = 2^10$' stdout.txt || fail "tune for one m says no word on it"
expect 0 "$disturbed" run "${small[@]}" --tuned disturbed-tuned.yaml --force --reps 1 -q
expect_json "disturbed_probe" run "${small[@]}" --tuned disturbed-tuned.yaml --force --reps 1 -q --json
grep -q '"disturbed_probe": "load: too_busy"' stdout.txt || fail "the JSON of run lacks the busy probe"
expect_json "disturbed_probe" tune -m disturbed.yaml "${small[@]}" -q --json
grep -q '"disturbed_probe": "load: too_busy"' stdout.txt || fail "the JSON of tune lacks the busy probe"
expect_json "disturbed_probe" tune -m "$machine" "${small[@]}" -q --json
grep -q '"disturbed_probe": null' stdout.txt || fail "a quiet probe is called busy"
grep -q 'busy machine' stderr.txt && fail "a note on a machine that nobody called busy"

# Compares two probes of one machine.
probed() {  # MEMORY_LATENCY UNCERTAINTY: a machine file as probe would write it
  sed -e "s|^cpu:|provenance: {source: probe, uncertainty.memory.latency: $2, quality.memory.latency: good}\n&|" \
    -e "s|latency: 100ns|latency: $1|" "$machine"
}
probed 100ns 2% >monday.yaml
probed 102ns 2% >friday.yaml
probed 110ns 2% >moved.yaml
compare_probes=(probe --compare monday.yaml --compare)
expect_json "values.0.key,values.0.first.value,values.0.second.uncertainty,values.0.agrees,counted,agreeing,agreeing_part,enough" \
  "${compare_probes[@]}" friday.yaml --json
"$presort" "${compare_probes[@]}" moved.yaml >stdout.txt 2>stderr.txt
[ $? -eq 1 ] || fail "probes that disagree do not exit with 1"
grep -q '^memory.latency .* NO' stdout.txt || fail "probes that disagree do not say in what"
grep -q '^0 of 1 measured values agree' stdout.txt || fail "probes that disagree do not say how much"
probed 110ns 51% >vague.yaml
"$presort" "${compare_probes[@]}" vague.yaml >stdout.txt 2>stderr.txt
[ $? -eq 1 ] || fail "a probe that is too uncertain to compare agrees"
grep -q '^of 1 measured, 1 too uncertain' stdout.txt || fail "values that are too uncertain are not told"
expect 2 "exclude each other" probe --quick --thorough
expect 2 "found 1 file, accepted: two" probe --compare monday.yaml
expect 2 "exclude each other" "${compare_probes[@]}" friday.yaml --quick
expect 2 "missing.yaml" "${compare_probes[@]}" missing.yaml
expect 2 "no table \`probed\`" "${compare_probes[@]}" "$machine"
sed 's|quality.memory.latency: good|quality.memory.latency: god|' friday.yaml >misspelt.yaml
expect 2 "misspelt.yaml:4:85: provenance.quality.memory.latency: found 'god', accepted: good, fair" \
  "${compare_probes[@]}" misspelt.yaml
sed 's|quality.memory.latency: good|quality.memory.speed: good|' friday.yaml >unknown.yaml
expect 2 "provenance.probed.memory.speed: found no value of this name" \
  "${compare_probes[@]}" unknown.yaml
nested='provenance: {source: probe, probed: {memory.latency: {uncertainty: 2%, quality: good}}}'
sed "s|^provenance.*|$nested|" friday.yaml >nested.yaml
expect_json "values.0.first.uncertainty,agreeing" "${compare_probes[@]}" nested.yaml --json
sed 's|memory.latency: {|memory.speed: {|' nested.yaml >unknown.yaml
expect 2 "unknown.yaml:4:52: provenance.probed.memory.speed: found no value of this name" \
  "${compare_probes[@]}" unknown.yaml
sed 's|quality: good|quality: god|' nested.yaml >misspelt.yaml
expect 2 "misspelt.yaml:4:81: provenance.probed.memory.latency.quality: found 'god', accepted: good, fair" \
  "${compare_probes[@]}" misspelt.yaml

# Tests of simulated traces.
traces=$(realpath "$3/../../sim/trace/data")
trace=(simulate -m "$machine" --trace)
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

# A tuned file of another machine is refused, and used when forced.
sed 's/L2.size: [0-9]*[KM]iB/L2.size: 3KiB/' tuned.yaml >other.yaml
expect 2 "L2.size" run "${small[@]}" --tuned other.yaml
"$presort" run "${small[@]}" --tuned other.yaml --force --reps 1 >/dev/null 2>stderr.txt ||
  fail "a forced tuned file"
expect 2 "L2.size" validate -m "$machine" --tuned other.yaml -o report
expect 2 "L2.size: the file has 3KiB, here it is" run "${small[@]}" --tuned other.yaml
expect 2 "other.yaml is of another machine: " run "${small[@]}" --tuned other.yaml
# A tuned file without cache sizes fits any machine; only soft differences are printed.
sed '/^ *L[1-9][a-z]*[.]/d' tuned.yaml >here.yaml
sed 's/compiler: .*/compiler: abacus 1/' here.yaml >warned.yaml
expect 0 "warning: warned.yaml: compiler: the file has abacus 1, here it is" \
  run "${small[@]}" --tuned warned.yaml --reps 1
# Tuned tables without an entry for a problem, and tables that are cut short.
grep -q '^complete: true$' tuned.yaml || fail "a complete tuned file does not say so"
expect 2 "here.yaml: no entry of op gather, there are multireduce" \
  run "${small[@]}" --op gather --tuned here.yaml
expect 2 "here.yaml: no entry of labels sorted, there are uniform" \
  run "${small[@]}" --dist sorted --tuned here.yaml
sed '/^entries:/,$d; s/^entryCount.*/entryCount: 0/' here.yaml >empty.yaml
echo 'entries: []' >>empty.yaml
expect 2 "empty.yaml: the table is empty" run "${small[@]}" --tuned empty.yaml
head -c "$(($(wc -c <here.yaml) - 20))" here.yaml >half.yaml
expect 2 "half.yaml:" run "${small[@]}" --tuned half.yaml
sed 's/^complete: true/complete: false/; s/ n: 2^[0-9]*/ n: 2^40/' here.yaml >partial.yaml
expect 0 "its tuning was interrupted" run "${small[@]}" --tuned partial.yaml --reps 1

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
grep -q '^TOO BUSY' modelled/summary.txt && fail "a replay judges the machine's load"

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
leftovers=$(find . -name '*.tmp')
[ -z "$leftovers" ] || fail "temporary files are left: $leftovers"

echo "$checks commands checked, $failures failed"
[ "$failures" -eq 0 ]
