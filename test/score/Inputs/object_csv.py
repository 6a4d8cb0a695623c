# object_csv.py DOCUMENT PLAIN STACKS - the objects of a score document, and the same as CSV, with and without stacks and a verdict.
# Prints the first one and the functions of its stacks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import csv
import json
import math
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
plain, stacks = (list(csv.DictReader(open(path, encoding="utf-8", newline=""))) for path in sys.argv[2:])
assert len(plain) == len(stacks) == len(document["objects"])
PLACE = ("function", "file", "line", "column", "module")
for number, (o, a, b) in enumerate(zip(document["objects"], plain, stacks)):
    assert b["excessive"] == str(number in document["excessive"]["members"]).lower() and a["excessive"] == ""
    assert {k: v for k, v in b.items() if k in a and k != "excessive"} == {k: v for k, v in a.items() if k != "excessive"}
    for prefix in ("allocated", "freed"):
        by = o[prefix + "_by"] or dict.fromkeys(PLACE)
        for name in PLACE:
            assert a[f"{prefix}_{name}"] == ("" if by[name] is None else str(by[name])), (name, a, by)
    assert a["size"] == ("" if o["size"] is None else str(o["size"]))
    assert int(a["frequency"]) == o["frequency"]
    assert math.isclose(float(a["mean_lifetime_ns"]), o["mean_lifetime_ns"], abs_tol=0.001)
    assert math.isclose(float(a["ratio"]), o["ratio"], rel_tol=1e-5)
    assert a["points"].split() == [str(p) for p in o["points"]]
    for name in ("freed_by_others_too", "reallocated"):
        assert a[name] == str(o[name]).lower()
first = stacks[0]
print(first["allocated_function"], first["size"], first["frequency"], "excessive" if first["excessive"] == "true" else "")
for name in ("allocated_stack", "freed_stack"):
    print(" < ".join(line.split()[0] for line in first[name].splitlines()))
