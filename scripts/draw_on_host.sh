#!/usr/bin/env bash
# Judges predictions on a machine by problems drawn at random, within a time: probes it (with core
# costs), draws, predicts and measures. When the time is over, what was done is kept (draw.journal),
# and the reports are of the problems that were measured.
usage="usage: scripts/draw_on_host.sh PRESORT FOLDER [POINTS] [SEED] [SECONDS]
  PRESORT  the program
  FOLDER   where machine.yaml, probe.txt, the report and facts.txt go; a second call with the folder
           goes on where the first was ended, with the machine file of the first
  POINTS   points to draw, 6 to 10000 [60]
  SEED     seed of the draws [9302]
  SECONDS  the draw is ended after this time, beside the probe's [450]"
called_from=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

if [ $# -lt 2 ] || [ $# -gt 5 ]; then
  die $kExitUsage "$usage"
fi
presort=$(cd "$called_from" && realpath "$1") folder=$(cd "$called_from" && realpath -m "$2")
points=${3:-60} seed=${4:-9302} seconds=${5:-450}
mkdir -p "$folder"
{
  date -u +%FT%TZ
  uname -r
  nproc
  grep -m1 'model name' /proc/cpuinfo || true
  "$presort" --version
} >"$folder/facts.txt"
if [ ! -e "$folder/machine.yaml" ]; then
  "$presort" probe -o "$folder/machine.yaml" >"$folder/probe.txt" 2>&1
fi
code=0
timeout -s INT -k 60 "$seconds" "$presort" validate -m "$folder/machine.yaml" --model --confirm \
  --draw "$points" --seed "$seed" --measure close -q -o "$folder/draw" >"$folder/draw.txt" 2>"$folder/draw.err" ||
  code=$?
tail -40 "$folder/draw.txt"
cat "$folder/draw.err" >&2
echo "exit status of the draw: $code (124 and 130: ended by the time)"
