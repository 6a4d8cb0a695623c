# false_lines.py SCORE.json - the record stats has one line that two threads write side by side, and their members have the writes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
(stats,) = [t for t in document["member_types"] if t["type"] == "stats"]
(line,) = stats["false_lines"]
assert (line["offset"], line["turns"], line["chunks"]) == (64, 400, 1), line # the last is main's
parts = [(p["name"], p["offset"], p["size"]) for p in line["parts"]]
assert parts == [("hits", 64, 8), ("misses", 72, 8)], parts
writes = {p["name"]: p["writes"] for p in line["parts"]}
assert set(writes.values()) == {2000}, writes
threads = {p["thread"] for p in line["parts"]}
assert len(threads) == 2, threads
members = {m["member"]: m["side_writes"] for m in document["members"] if m["type"] == "stats"}
assert members["hits"] == writes["hits"] and members["misses"] == writes["misses"], members
assert members["title"] == members["total"] == 0, members
