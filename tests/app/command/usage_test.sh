#!/usr/bin/env bash
# Tests help, versions, unknown options, and values of options.
# usage: usage_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

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

end_checks
