#!/usr/bin/env python3
"""check_names.py JSON CSV TABLE BY: the names of names.c, as each output has to have them.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import csv
import json
import sys

NAMES = {
    101: "box<" + "n" * 65528 + ">end",
    102: "say \"hi\", \\ 'you'",
    103: "Größe €",
    104: "tab\tline\nbell\a end",
    105: "bad \ufffd utf",
    106: "<<<,<(,>)>,}>{",
}

with open(sys.argv[1], encoding="utf-8") as document:
    points = json.load(document)["points"]
types = {p["size"]["min"]: p["type"] for p in points}
for size, name in NAMES.items():
    assert types[size] == name, f"JSON: {size}: {types[size][:80]!r}"

csv.field_size_limit(1 << 20)
with open(sys.argv[2], encoding="utf-8", newline="") as table:
    rows = {int(r["size_min"]): r["type"] for r in csv.DictReader(table) if r["size_min"]}
for size, name in NAMES.items():
    assert rows[size] == name, f"CSV: {size}: {rows[size][:80]!r}"

for path in sys.argv[3:]:
    with open(path, encoding="utf-8") as text:
        lines = text.read().split("\n")
    assert all(c.isprintable() for line in lines for c in line), path
    assert max(map(len, lines)) <= 200, path
    assert any("nnnn" in line for line in lines), path
