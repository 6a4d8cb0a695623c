# check_members.py SCORE MERGED DUMP... - by member, a merged dump says what those that it was merged of say together.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys


def members(*dumps):
    out = subprocess.run([sys.argv[1], "--by", "member", "--json", *dumps], check=True, capture_output=True, text=True).stdout
    document = json.loads(out)
    return ({t["type"]: t for t in document["member_types"] if t["type"] in ("node", "stats")},
            {(m["type"], m["offset"]): m for m in document["members"] if m["type"] in ("node", "stats")})


def codes(member):
    return sorted((c["frame"]["function"], c["frame"]["line"], c["reads"], c["writes"]) for c in member["code"])


types, rows = members(sys.argv[2])
single_types, single_rows = members(*sys.argv[3:])
assert set(types) == set(single_types) == {"node", "stats"}, types
for name, t in types.items():
    for key in ("chunks", "chunks_counted", "weight", "reads", "writes", "lost"):
        assert t[key] == single_types[name][key], (name, key, t[key], single_types[name][key])
    assert [(l["offset"], l["turns"], l["chunks"], [(p["name"], p["writes"]) for p in l["parts"]]) for l in t["false_lines"]] == \
        [(l["offset"], l["turns"], l["chunks"], [(p["name"], p["writes"]) for p in l["parts"]]) for l in single_types[name]["false_lines"]]
assert set(rows) == set(single_rows)
for where, m in rows.items():
    other = single_rows[where]
    for key in ("member", "reads", "writes", "whole_reads", "side_writes", "bytes_accessed", "share", "chunks_most"):
        assert m[key] == other[key], (where, key, m[key], other[key])
    assert m["chunks"] >= other["chunks"], (where, m["chunks"], other["chunks"])
    assert codes(m) == codes(other), (where, codes(m), codes(other))
# Of one line alone in all processes the chunks add up.
assert rows["node", 12]["chunks"] == types["node"]["chunks_counted"], rows["node", 12]
assert rows["node", 8]["code"], rows["node", 8]
