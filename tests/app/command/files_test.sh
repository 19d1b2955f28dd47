#!/usr/bin/env bash
# Tests files that are missing, malformed, unwritable or of an older version.
# usage: files_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

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

end_checks
