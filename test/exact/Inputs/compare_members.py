#!/usr/bin/env python3
"""compare_members.py DIR: runs DIR/naive and DIR/profiled with members=1 and exact_time=1; do both count the same at each place?
Prints what was counted of each type at each place of its chunks, and exits 1 if anything differs or is in no row.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Both are one program, built with one hook for each access and with all that shortens that; with exact_time=1 all chunks
are counted.
"""
import collections
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "edge", "Inputs"))
import dump_codec

NUMBERS = 7


def run(directory, form):
    dumps = os.path.join(directory, f"{form}.members")
    shutil.rmtree(dumps, ignore_errors=True)
    options = f"dump_dir='{dumps}':members=1:exact_time=1"
    result = subprocess.run(
        [os.path.join(directory, form)], timeout=120,
        env={"PATH": os.environ["PATH"], "HEAPPROF_OPTIONS": options},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    assert not result.stderr, result.stderr
    name, = os.listdir(dumps)
    return result.stdout, rows_of(os.path.join(dumps, name))


def rows_of(dump):
    """By type and place: reads, writes; lost ones as place None."""
    types = {point["id"]: point.get("type") for point in dump_codec.read_records(
        os.path.join(dump, "points"), "POINTS")}
    rows = collections.defaultdict(collections.Counter)
    for record in dump_codec.read_records(os.path.join(dump, "aggregates"),
                                          "AGGREGATES", others=True):
        if "members" not in record:
            continue
        chunks, lost, count, *numbers = record["members"]
        assert chunks == record["chunks"] and len(numbers) == count * NUMBERS
        kind = types.get(record.get("point"))
        rows[kind, None]["lost"] += lost
        for i in range(0, len(numbers), NUMBERS):
            offset, size, reads, writes, seen, _, _ = numbers[i:i + NUMBERS]
            assert size and reads + writes and 0 < seen <= chunks
            rows[kind, (offset, size)].update(reads=reads, writes=writes)
    return rows


def main():
    naive, profiled = [run(sys.argv[1], form) for form in ("naive", "profiled")]
    if naive[0] != profiled[0]:
        sys.exit(f"output differs:\n{naive[0]}\n{profiled[0]}")
    differ = 0
    for key in sorted({*naive[1], *profiled[1]}, key=str):
        kind, place = key
        one, other = naive[1][key], profiled[1][key]
        if one != other:
            differ += 1
            print(f"{kind} {place}: naive {dict(one)}, profiled {dict(other)}")
        elif place and kind:
            print(f"{kind} +{place[0]} {place[1]}: {one['reads']} reads, "
                  f"{one['writes']} writes")
    lost = sum(counts["lost"] for form in (naive, profiled)
               for counts in form[1].values())
    print(f"{len(profiled[1])} places, {differ} differ, {lost} lost")
    sys.exit(differ != 0 or lost != 0)


main()
