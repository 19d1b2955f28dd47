#!/usr/bin/env bash
# Tests results of subcommands, as text and as JSON.
# usage: results_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

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
expect_json "ns_per_input.median,ns_per_input.reps,plan.sortBits,checked" \
  run "${small[@]}" --plan sortBits=4 --reps 2 --check --json
expect_json "plan,predicted_ns_per_input,direct_ns_per_input,matters,crossover_m,entries.0.plan" \
  tune -m "$machine" "${small[@]}" -o tuned.yaml --json
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
expect_json "findings.0.subject,findings.9.verdict,findings.10.remedy,machine_load" doctor -m opteron-6274 --json
grep -q 'of another machine' stdout.txt || fail "doctor takes the file of another machine for this one"
expect 2 "no-such-machine" doctor -m no-such-machine.yaml
expect_json "holds,items.0.name,items.0.asked,items.0.found,items.6.loads" \
  selfcheck -m cascade-lake-vm --json
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

end_checks
