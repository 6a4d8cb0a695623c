# check_diff.py DIFF OLD NEW - the rows of a diff are the points of both documents, each once, with their numbers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

diff, old, new = (json.load(open(p, encoding="utf-8")) for p in sys.argv[1:])
assert diff["schema"] == "heapprof.diff/1"
rows_of = {"old": old.get("points", old.get("groups")), "new": new.get("points", new.get("groups"))}
metrics = ["chunks", "bytes", "peak_bytes", "live_chunks", "live_bytes", "reads", "writes", "bytes_accessed"]
for side, document in (("old", old), ("new", new)):
    for member in ("processes", "warnings", "global"):
        assert diff[side][member] == document[member]
    found = {row[side]["id"]: row for row in diff["rows"] if row[side]}
    wanted = {p["id"]: p for p in rows_of[side]}
    assert found.keys() == wanted.keys() and len(found) == sum(r[side] is not None for r in diff["rows"])
    for number, point in wanted.items():
        row = found[number]
        for metric in metrics:
            assert row[side][metric] == point[metric], (side, number, metric)
        assert row[side]["site"] == point["site"]
        assert all(row[side]["scores"][s] == point["scores"][s] for s in row[side]["scores"])
        if "key" in point:
            def without_line(key):
                return key.split(":")[0]
            assert row["key"] == point["key"] or (side == "old" and row["new"] and without_line(row["key"]) == without_line(point["key"]))
        elif side == "new" or not row["new"]:
            assert row["stack"] == point["stack"] and row["type"] == point["type"]
changes = []
for row in diff["rows"]:
    a, b = row["old"], row["new"]
    values = [[(side or {}).get(m, 0) for m in ("bytes", "chunks", "peak_bytes", "live_bytes")] for side in (a, b)]
    status = "added" if not a else "removed" if not b else "same" if values[0] == values[1] else "changed"
    assert row["status"] == status
    totals = [[g["bytes"], g["chunks"], g["peak_bytes"], sum(p["live_bytes_at_end"] for p in d["processes"])]
              for d in (old, new) for g in [d["global"]]]
    noise = all(x == y or abs(x - y) * 100 < diff["threshold_percent"] * max(t)
                for x, y, t in zip(*values, zip(*totals)))
    assert row["noise"] == noise, row
    changes.append(abs(values[0][0] - values[1][0]))
    if a and b and "key" not in row:
        functions = [[f["function"] for f in p["stack"]] for p in
                     (next(p for p in rows_of["old"] if p["id"] == a["id"]), row)]
        assert functions[0] == functions[1] or None in functions[0] + functions[1]
assert changes == sorted(changes, reverse=True)
