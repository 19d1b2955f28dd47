#!/usr/bin/env bash
# Tests fits to latency matrices, and comparisons of two probes of one machine.
# usage: fit_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

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

end_checks
