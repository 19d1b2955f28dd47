#!/bin/bash
# usage: model_generality.sh PRESORT MACHINE LABEL_FILES...: the closed form beside the simulator
# where nothing was looked at before: sizes, skews and labels of files.
presort=$1; machine=$2; shift 2
both() {
  local by
  for by in --model ""; do
    "$presort" simulate -m "$machine" "$@" $by --json 2>/dev/null |
      sed -n 's/^ *"predicted_ns_per_input": \([0-9.]*\),*$/\1/p' | head -1
  done | paste -s -d' ' | while read -r model simulated; do
    [ -n "$simulated" ] &&  # a file may have too few buckets for the plan
      awk -v m="$model" -v s="$simulated" -v what="$*" \
        'BEGIN { printf "%7.2f %7.2f %+6.1f %%  %s\n", m, s, 100 * (m / s - 1), what }'
  done
}
for plan in sortBits=0 prefetchDistance=16 sortBits=8 sortBits=10; do
  both -n 2^16 -b 2^14 --plan $plan
  both -n 2^20 -b 3000000 --plan $plan
  both -n 2^24 -b 100003 --plan $plan
  both -n 10000000 -b 12345678 --plan $plan
  both -n 2^28 -b 2^22 --plan $plan
  both -n 2^30 -b 2^24 --plan $plan
  for s in 0.5 0.9 1 1.1 1.5; do
    both -n 2^24 -b 2^24 --dist zipf:$s --plan $plan
  done
done
for file in "$@"; do
  for plan in sortBits=0 prefetchDistance=16 sortBits=6 sortBits=8 sortBits=10; do
    both --dist file:"$file" $("$presort" tune -m "$machine" --labels "$file" --model-only --json -q |
      sed -n 's/^ *"n": \([0-9]*\),*$/-n \1/p; s/^ *"m": \([0-9]*\),*$/-b \1/p' | sort -u | paste -s -d' ') --plan $plan
  done
done
