# virtual_bases.py SCORE.json LINES COUNT - of the members that LINES tell of (type, base, name, offset) COUNT are in the table, where LINES have them.
# Of each type the others are behind them, in one row; each has one write.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

members = json.load(open(sys.argv[1], encoding="utf-8"))["members"]
wanted = [line.rsplit(" ", 3) for line in open(sys.argv[2], encoding="utf-8").read().splitlines()]
found = 0
for kind, base, name, offset in wanted:
    rows = [m for m in members if m["type"] == kind and m["member"] == name]
    if not rows:
        assert [m for m in members if m["type"] == kind and m["member"] == "virtual bases"], (kind, name)
        continue
    (row,) = rows
    inherited = row["base"] or kind.split("::")[-1].split("<")[0]
    assert (inherited, row["offset"]) == (base, int(offset)), (kind, base, name, offset, row)
    assert row["writes"] >= 1, row
    found += 1
assert found == int(sys.argv[3]), (found, len(wanted))
