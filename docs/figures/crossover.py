#!/usr/bin/env python3
"""Draws crossover.svg: ns per input over the number of buckets, predicted and measured.

usage: presort validate -m MACHINE --replay RECORDING --model --json -q -o FOLDER > validate.json
       crossover.py validate.json GROUP > crossover.svg
GROUP is the name of a group of problems in the file, such as "multireduce n=2^24 uniform u32+u32".
Needs gnuplot.
"""

import json
import subprocess
import sys

SERIES = [  # row's key, value's key, title, style
    ("direct", "predicted_ns_per_input", "direct, predicted", "lines lw 2 dt 2 lc rgb '#c0392b'"),
    ("direct", "measured_ns_per_input", "direct, measured", "points pt 7 ps 0.8 lc rgb '#c0392b'"),
    ("tuned", "predicted_ns_per_input", "tuned, predicted", "lines lw 2 lc rgb '#1f5fa8'"),
    ("tuned", "measured_ns_per_input", "tuned, measured", "points pt 5 ps 0.8 lc rgb '#1f5fa8'"),
]


def values(group, row_key, value_key):
    """Lines of m and ns, those of rows that have the value."""
    return [f"{row['m']} {row[row_key][value_key]}" for row in group["rows"]
            if row.get(row_key) and row[row_key].get(value_key) is not None]


def mark(m, kind, height):
    """Lines of gnuplot: a crossover at m, unless there is none."""
    if m is None:
        return ""
    return (f"set arrow from {m}, graph 0 to {m}, graph 1 nohead dt 3 lc rgb '#555555'\n"
            f"set label 'crossover, {kind}: 2^{{{m.bit_length() - 1}}}' "
            f"at {m}, graph {height} right offset -1,0\n")


def script(group):
    """The gnuplot script of a group of problems."""
    blocks, plots = [], []
    for number, (row_key, value_key, title, style) in enumerate(SERIES):
        blocks.append(f"$s{number} << EOD\n" + "\n".join(values(group, row_key, value_key)) + "\nEOD")
        plots.append(f"$s{number} using 1:2 with {style} title '{title}'")
    rows = group["rows"]
    tics = ", ".join(f"'2^{{{bits}}}' {2**bits}" for bits in range(4, 33, 4))
    marks = [mark(group[f"{kind}_crossover_m"], kind, height)
             for kind, height in (("predicted", 0.13), ("measured", 0.06))]
    return "\n".join(blocks) + f"""
set terminal svg size 720,360 font 'sans-serif,13' background '#ffffff'
set logscale x 2
set logscale y 2
set xtics ({tics})
set xrange [{rows[0]['m'] / 1.5}:{rows[-1]['m'] * 1.5}]
set xlabel 'buckets'
set ylabel 'ns per input'
set ytics (0.5, 1, 2, 4, 8, 16)
set yrange [0.4:24]
set key top left reverse Left
set grid ytics lc rgb '#dddddd'
{''.join(marks)}plot {', '.join(plots)}
"""


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        groups = {group["problem"]: group for group in json.load(file)["groups"]}
    if arguments[1] not in groups:
        sys.exit(f"{arguments[0]} has no group '{arguments[1]}', but: {', '.join(groups)}")
    subprocess.run(["gnuplot"], input=script(groups[arguments[1]]), text=True, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
