# pools.py - prints, of the JSON of heapprof-score, what is told of pools: a line for each of one and function, and of chunks that were cut up.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import json
import sys

doc = json.load(sys.stdin)
pools = collections.defaultdict(collections.Counter)
blocks = collections.defaultdict(collections.Counter)
for p in doc["points"]:
    where = p["place"]["function"] if p["place"] else None
    if p["pool"]:
        for name in "chunks", "bytes", "reads", "writes", "bytes_accessed", "live_chunks":
            pools[p["pool"], where, p["type"]][name] += p[name]
    if p["blocks"]:
        assert not p["accesses_known"] and p["scores"]["usage"] is None and p["reads"] == p["writes"] == 0
        blocks[where].update(p["blocks"])
for (pool, where, of), p in sorted(pools.items(), key=str):
    print(f"{pool} by {where}: {p['chunks']} of {p['bytes']}, type {of}, reads {p['reads']}, writes {p['writes']}, accessed {p['bytes_accessed']}, "
          f"live {p['live_chunks']}")
for where, b in sorted(blocks.items()):
    print(f"block by {where}: {b['chunks']} of {b['bytes']} into {b['objects']} of {b['object_bytes']}, most {b['most_bytes']}")
print("peak", doc["global"]["peak_bytes"])
for note in doc["warnings"]:
    print("note:", note.split(": ", 1)[1])
