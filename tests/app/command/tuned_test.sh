#!/usr/bin/env bash
# Tests tuned files of other machines, without an entry, or cut short.
# usage: tuned_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

make_tuned

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

end_checks
