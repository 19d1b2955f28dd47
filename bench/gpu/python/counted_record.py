"""Joins counts of ncu with the plans that it profiled, as gpu_simulated_counts reads them.

usage: counted_record.py PLANS.jsonl COUNTS.csv...
PLANS is what gpu_counted_plans prints; each COUNTS is `ncu --csv --page raw` of a run of that
program with some of the counters below. Prints a line of JSON for each plan: sums over the kernels
of its second run, which are the second half of those between two kernels named next_plan.
"""

import csv
import json
import sys

COUNTERS = {
    "lts__t_sectors_srcunit_tex.sum": "sectors_to_l2",
    "lts__t_sectors_srcunit_tex_lookup_hit.sum": "l2_hits",
    "dram__sectors_read.sum": "memory_read",
    "dram__sectors_write.sum": "memory_written",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "shared_passes",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "load_sectors",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum": "l1_hits",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "store_sectors",
    "lts__t_sectors_op_red.sum": "reds",
    "lts__t_sectors_op_atom.sum": "atoms",
}


def kernels(path):
    """Rows of a file of ncu: the kernel's name, and its counts by their names here."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if line.startswith('"')))
    header = rows[0]
    name = header.index("Kernel Name")
    columns = {header.index(key): value for key, value in COUNTERS.items() if key in header}
    if not columns:
        sys.exit(f"{path}: found no counter, accepted: columns named {', '.join(COUNTERS)}")
    for row in rows[2:]:  # behind the header stands a row of units
        yield row[name], {to: float(row[at].replace(",", "")) for at, to in columns.items()}


def groups(path):
    """Counts of the kernels of each plan's second run."""
    found = []
    for name, counts in kernels(path):
        if "next_plan" in name:
            found.append([])
        elif found:
            found[-1].append(counts)
    for number, group in enumerate(found):
        if len(group) % 2:
            sys.exit(f"{path}: plan {number}: found {len(group)} kernels, accepted: two equal runs")
    return [group[len(group) // 2 :] for group in found]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        plans = [json.loads(line) for line in file if line.startswith("{")]
    files = [groups(path) for path in sys.argv[2:]]
    for path, each in zip(sys.argv[2:], files):
        if len(each) != len(plans):
            sys.exit(f"{path}: found {len(each)} plans, accepted: the {len(plans)} of {sys.argv[1]}")
    for number, plan in enumerate(plans):
        counts = {}
        for each in files:
            for kernel in each[number]:
                for name, count in kernel.items():
                    counts[name] = counts.get(name, 0) + count
        both_halves = counts.pop("reds", 0) + counts.pop("atoms", 0)
        # Half of the atomics come from the other half of the chip, and are counted there, too.
        counts["atomic_sectors_both_halves"] = both_halves
        counts["atomic_sectors"] = both_halves / 1.5
        kernels_of_run = len(files[0][number])
        whole = {name: round(count) for name, count in counts.items()}
        print(json.dumps({**plan, "kernels": kernels_of_run, "counts": whole}))


main()
