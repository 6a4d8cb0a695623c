#!/usr/bin/env python3
"""rows_of.py ONE FEW ALL: documents of the same dump, of which the first two are cut by --json-bytes."""
import json
import os
import sys

one, few, whole = (json.load(open(name)) for name in sys.argv[1:])
assert whole["not_shown"] == 0
rows = whole["points"]
for cut in (one, few):
    assert cut["points"] == rows[: len(cut["points"])], "the first ones in the order asked for"
    assert len(cut["points"]) + cut["not_shown"] == len(rows)
    assert {key: cut[key] for key in cut if key not in ("points", "not_shown")} == {
        key: whole[key] for key in whole if key not in ("points", "not_shown")}
assert 1 <= len(one["points"]) < len(few["points"]) < len(rows), (len(one["points"]), len(few["points"]), len(rows))
sizes = [os.path.getsize(name) for name in sys.argv[1:]]
row = (sizes[2] - sizes[0]) / (len(rows) - len(one["points"]))
assert abs((sizes[1] - sizes[0]) + row * len(one["points"]) - 102400) < 2 * row + 70000, sizes
