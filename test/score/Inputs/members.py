# members.py SCORE.json - counts of members are those that the comments of members.cpp give.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
rows = {(m["type"], m["member"]): m for m in document["members"] if m["member"]}
types = {t["type"]: t for t in document["member_types"]}

# Type and member: offset, size, reads, writes.
expected = {
    ("Derived", "inherited"): (8, 4, 6, 3),
    ("Derived", "own"): (12, 1, 0, 3),
    ("Bits", "whole"): (4, 4, 2, 1),
    ("Either", "number"): (0, 4, 1, 2),
    ("Either", "real"): (0, 8, 3, 1),
    ("Holder", "at.x"): (0, 4, 0, 1),
    ("Holder", "at.y"): (4, 4, 1, 2),
    ("Holder", "first"): (8, 16, 2, 1),
    ("Holder", "many[].x"): (24, 4, 1, 0),
    ("Holder", "many[].y"): (28, 4, 0, 1),
    ("Holder", "last"): (48, 8, 0, 1),
    ("Point", "x"): (0, 4, 0, 3),
    ("Point", "y"): (4, 4, 1, 0),
    ("Open", "count"): (0, 4, 2, 1),
    ("Open", "items"): (4, 0, 0, 2),
}
for key, numbers in expected.items():
    m = rows[key]
    found = (m["offset"], m["size"], m["reads"], m["writes"])
    assert found == numbers, (key, found, numbers)
    t = types[key[0]]
    assert m["chunks_counted"] == t["chunks_counted"] == t["chunks"] and m["weight"] == 1, (key, m)
    assert t["has_layout"] and t["file"].endswith("members.cpp") and not t["by_library"]
    assert (m["reads"] + m["writes"] == 0) or m["code"], m
assert rows["Derived", "inherited"]["base"] == "Base" and rows["Derived", "vptr"]["kind"] == "pointer"
inherited = rows["Derived", "inherited"]
assert 1 <= inherited["chunks"] <= 3 <= inherited["chunks_most"], inherited
assert rows["Holder", "many[].x"]["count"] == 3 and rows["Holder", "many[].x"]["stride"] == 8
assert rows["Bits", "low"]["bits"] == 3 and rows["Bits", "high"]["bit"] == 3 and rows["Bits", "high"]["overlaps"]
# A bit-field is written as its byte is: read first, and all of it.
assert rows["Bits", "low"]["writes"] == rows["Bits", "high"]["writes"] == 2
assert rows["Open", "items"]["flexible"] and rows["Either", "real"]["overlaps"]
holes = [(m["type"], m["offset"], m["size"]) for m in document["members"] if m["kind"] == "hole"]
assert ("Derived", 29, 3) in holes and types["Derived"]["hole_bytes"] == 3
assert types["Derived"]["size"] == 32 and types["Point"]["chunks"] == 1 and types["Point"]["elements"] == 3
shares = [m["share"] for m in document["members"] if m["type"] == "Point" and m["member"]]
assert abs(sum(shares) - 1) < 1e-9, shares
