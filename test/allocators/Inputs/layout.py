# layout.py COMPARISON OWN - is what was measured what the definitions say of the layout that the program knows?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
chunks, size, span, mapped = map(int, open(sys.argv[2], encoding="utf-8").read().split())
faults = []


def check(what, value, expected):
    if value is None or abs(value - expected) > 1e-9:
        faults.append(f"{what}: {value}, not {expected}")


for a in document["allocators"]:
    name = a["name"]
    last = a["samples"][-1]
    # The library of C++, which comes with some of them, keeps a chunk for exceptions.
    more, more_bytes = (3, 200000) if name in ("jemalloc", "tcmalloc") else (0, 0)
    for key, least, most in (("allocations", 2 * chunks + 3, more), ("frees", chunks + 3, more), ("unknown_frees", 0, 0),
                             ("lost_chunks", 0, 0), ("live_bytes_at_end", chunks * size, more_bytes),
                             ("peak_live_bytes", 2 * chunks * size, more_bytes)):
        if not least <= a[key] <= least + most:
            faults.append(f"{name} {key}: {a[key]}, not {least} and {most} more")
    check(f"{name} live", last["live_bytes"], a["live_bytes_at_end"])
    check(f"{name} placed", last["placed_bytes"], a["live_bytes_at_end"])
    check(f"{name} chunks", last["chunks"], a["allocations"] - a["frees"])
    calls = {f["function"]: f["calls"] for f in a["functions"]}
    known = {"malloc": 2 * chunks, "calloc": 1, "realloc": 1, "aligned_alloc": 1, "free": chunks + 2}
    if any(not known.get(call, 0) <= n <= known.get(call, 0) + more for call, n in calls.items()) or set(known) - set(calls):
        faults.append(f"{name}: {calls}")
    for part in (a["at_end"], last):
        check(f"{name} total", part["fragmentation_total"], 1 - last["placed_bytes"] / last["span_bytes"])
        check(f"{name} utilisation", part["utilisation"], last["live_bytes"] / last["mapped_bytes"])
        check(f"{name} internal", part["internal_fragmentation"], 1 - last["live_bytes"] / last["usable_bytes"])
        check(f"{name} external", part["external_fragmentation"], 1 - last["usable_bytes"] / last["span_bytes"])
    if not 0 < last["resident_bytes"] <= min(last["mapped_bytes"], last["rss_bytes"]):
        faults.append(f"{name}: resident {last}")

# Of glibc's heap everything is known.
glibc = document["allocators"][0]
last = glibc["samples"][-1]
check("regions", last["regions"], 1)
check("span", last["span_bytes"], span)
check("mapped", last["mapped_bytes"], mapped)
check("fragmentation", glibc["at_end"]["fragmentation_total"], (span - chunks * size) / span)
check("mean of one region", glibc["at_end"]["fragmentation_mean"], (span - chunks * size) / span)
check("internal", glibc["at_end"]["internal_fragmentation"], 0)
print("\n".join(faults))
sys.exit(bool(faults))
