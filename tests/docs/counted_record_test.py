"""Tests bench/gpu/python/counted_record.py on two plans in two files of counters."""

import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench/gpu/python/counted_record.py"
A = '"ID","Kernel Name","lts__t_sectors_srcunit_tex.sum","lts__t_sectors_op_red.sum","x"\n"","","sector","sector",""\n'
B = '"ID","Kernel Name","dram__sectors_read.sum"\n"","","sector"\n'
ROWS_A = [("next_plan()", 0, 0), ("a", 1, 9), ("b", 2, 9), ("a", 10, 3), ("b", "1,020", 6),
          ("next_plan()", 0, 0), ("c", 5, 0), ("c", 7, 0)]
ROWS_B = [("next_plan()", 0), ("a", 1), ("b", 1), ("a", 30), ("b", 12), ("next_plan()", 0),
          ("c", 1), ("c", 2)]


def run(folder, rows_a, rows_b, plans):
    (folder / "a.csv").write_text("==PROF== of ncu\n" + A + "".join(
        f'"{i}","{name}","{sectors}","{reds}","1"\n' for i, (name, sectors, reds) in enumerate(rows_a)))
    (folder / "b.csv").write_text(B + "".join(
        f'"{i}","{name}","{read}"\n' for i, (name, read) in enumerate(rows_b)))
    (folder / "plans.jsonl").write_text("".join(json.dumps({"n": n}) + "\n" for n in plans))
    return subprocess.run(
        [sys.executable, SCRIPT, folder / "plans.jsonl", folder / "a.csv", folder / "b.csv"],
        capture_output=True, text=True, check=False)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = [json.loads(line) for line in run(folder, ROWS_A, ROWS_B, [8, 9]).stdout.splitlines()]
        assert [line["n"] for line in lines] == [8, 9], lines
        assert [line["kernels"] for line in lines] == [2, 1], lines
        first, second = (line["counts"] for line in lines)
        assert first == {"sectors_to_l2": 1030, "memory_read": 42, "atomic_sectors": 6,
                         "atomic_sectors_both_halves": 9}, first
        assert second["sectors_to_l2"] == 7 and second["memory_read"] == 2, second
        missing = run(folder, ROWS_A, ROWS_B[:-3], [8, 9])
        assert missing.returncode != 0 and "found 1 plans, accepted: the 2" in missing.stderr, missing
        uneven = run(folder, ROWS_A[:-1], ROWS_B, [8, 9])
        assert uneven.returncode != 0 and "accepted: two equal runs" in uneven.stderr, uneven


main()
