# members.py DIR - what the dumps in DIR, the earliest first, say of accesses by place: a line for each allocation point of a type.
# Places of the same offset and size are added up.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "edge", "Inputs"))
import dump_codec

for name in sorted(os.listdir(sys.argv[1])):
    dump = os.path.join(sys.argv[1], name)
    types = {point["id"]: point.get("type") for point in dump_codec.read_records(os.path.join(dump, "points"), "POINTS")}
    print(name)
    for record in dump_codec.read_records(os.path.join(dump, "aggregates"), "AGGREGATES", others=True):
        if "members" not in record or not types.get(record.get("point")):
            continue
        counted, lost, count, *numbers = record["members"]
        rows = collections.defaultdict(lambda: [0, 0, 0])
        for i in range(count):
            offset, size, reads, writes, chunks, code, _ = numbers[7 * i:7 * i + 7]
            row = rows[offset, size]
            rows[offset, size] = [row[0] + reads, row[1] + writes, row[2] + chunks]
        texts = [f"+{place[0]} {place[1]} r{row[0]} w{row[1]} c{row[2]}" for place, row in sorted(rows.items())]
        print(f"{record['point']}: {types[record['point']]}, {counted} of {record['chunks']} counted, {lost} lost: " + ", ".join(texts))
