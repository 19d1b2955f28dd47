#!/usr/bin/env bash
# Tests simulated, compared, validated and tuned GPUs.
# usage: gpu_test.sh PRESORT JSON_CHECK DATA_FOLDER
source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

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
expect 2 "has no section gpuHardware; accepted: a machine with one, such as h200" \
  compare --device gpu -m "$machine" --set gpuHardware.l2.size=120MiB -n 2^16 -b 2^8
expect 2 "has no section gpu; accepted: a machine with one, such as h200" \
  compare --device gpu -m "$machine" --set gpu.ceilings.atomicsL2=50G/s -n 2^16 -b 2^8 --model-only
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
{ cat "$machine"; cat "$data/gpu_section.yaml"; } >with-gpu.yaml
expect_json "entries.0.device,entries.0.plan.strategy,entries.0.origin,crossover_m" \
  tune -m with-gpu.yaml -n 2^28 -b 2^22 --device gpu -o gpu.yaml --json
# Tests of several GPUs.
two=(--device gpu --devices 2 -n 2^24)
expect_json "entries.0.scheme,entries.0.devices,entries.0.runner_up_scheme,direct_scheme" \
  tune -m h200 "${two[@]}" -b 2^10 -o two.yaml --json
grep -q "scheme: tables" two.yaml || fail "few buckets are not combined in tables"
says "by inputs" tune -m h200 "${two[@]}" -b 2^28
says "on 2 devices" tune -m h200 "${two[@]}" -b 2^20 --explain
says "the only plan by tables" tune -m h200 "${two[@]}" -b 2^10 --op gather
expect 2 "gpu.linkBandwidth: found none" tune -m with-gpu.yaml "${two[@]}" -b 2^10
expect 2 "op: found 'multiscan', accepted: multireduce" \
  tune -m h200 "${two[@]}" -b 2^10 --op multiscan
for count in 0 17 x; do
  expect 2 "--devices: found" tune -m h200 --device gpu --devices $count -n 2^24 -b 2^10
  expect 2 "--devices: found" run --device gpu --devices $count -n 2^10 -b 2^4
done
expect 2 "--devices goes with --device gpu" tune -m h200 --devices 2 -n 2^24 -b 2^10
expect 2 "--devices goes with --device gpu" run --devices 2 -n 2^10 -b 2^4
expect 2 "gpu.linkBandwidth: found none" run -m with-gpu.yaml "${two[@]}" -b 2^10
expect 2 "--tuned and --plan exclude" run "${two[@]}" -b 2^10 --plan sortBits=0 --tuned two.yaml
expect 2 "found 2 plans" run "${two[@]}" -b 2^10 --plan sortBits=0 --plan sortBits=2
[ -e /dev/nvidiactl ] || expect 3 "CUDA" run -m h200 "${two[@]}" -b 2^10
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

end_checks
