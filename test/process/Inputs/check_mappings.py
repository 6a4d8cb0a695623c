"""check_mappings.py DOCUMENT: the mappings of each process of mappings.c, by function.
All bytes are exact, and the resident ones of anonymous mappings are those of the whole process.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

KIB, MIB = 1024, 1024 * 1024

# live, most at once, resident, mapped in all, calls
EXPECTED = {
    ("reserved", "mmap"): (1024 * MIB, 1024 * MIB, 0, 1024 * MIB, 1),
    ("part", "mmap"): (3 * MIB, 4 * MIB, 2 * MIB, 4 * MIB, 1),
    ("over", "mmap"): (8 * KIB, 8 * KIB, 0, 8 * KIB, 1),
    ("over, below", "mmap"): (MIB - 8 * KIB, MIB, 0, MIB, 1),
    ("moved, small", "mmap"): (0, 2 * MIB, 0, 2 * MIB, 1),
    ("file", "mmap"): (4096, 4096, None, 4096, 1),
    ("grown", "sbrk"): (2 * MIB, 3 * MIB, MIB, 3 * MIB, 1),
    ("grown_by_brk", "brk"): (64 * KIB, 64 * KIB, 0, 64 * KIB, 1),
    ("refused, below", "mmap"): (MIB, MIB, 0, MIB, 1),
}


def name_of(mapping):
    names = [frame["function"] for frame in mapping["stack"] if frame["function"]]
    names = names[:names.index("main")] if "main" in names else names
    return ", ".join(reversed([name for name in names if name != "anonymous"]))


with open(sys.argv[1]) as file:
    document = json.load(file)
for number, process in enumerate(document["processes"]):
    mappings = [m for m in document["mappings"] if m["process"] == number]
    found = {(name_of(m), m["function"]): m for m in mappings}
    for key, (live, most, resident, in_all, calls) in EXPECTED.items():
        m = found[key]
        assert (m["live_bytes"], m["peak_bytes"], m["bytes"], m["maps"]) == (live, most, in_all, calls), (key, m)
        assert resident is None or m["resident_bytes"] == resident, (key, m)
        assert (m["reserved"], m["file"], m["shared"]) == (key[0] == "reserved", key[0] == "file", key[0] == "file"), m
    longer, shorter = sorted((m for m in mappings if m["function"] == "mremap"), key=lambda m: -m["peak_bytes"])
    assert (longer["live_bytes"], longer["peak_bytes"], shorter["live_bytes"]) == (0, 6 * MIB, 5 * MIB), (longer, shorter)
    assert shorter["resident_bytes"] == 2 * MIB, shorter
    again = [m for m in mappings if "again" in name_of(m)]
    assert sum(m["maps"] for m in again) == 4 * 500 + 800, again
    assert all(m["live_bytes"] == 0 and 16 * KIB <= m["peak_bytes"] <= 6 * 16 * KIB for m in again), again
    assert not any("raw" in name_of(m) for m in mappings), mappings

    mapped = process["mapped"]
    assert mapped["live_bytes"] == sum(m["live_bytes"] for m in mappings), mapped
    assert mapped["peak_bytes"] == sum(m["at_peak_bytes"] for m in mappings), mapped
    assert mapped["lost_bytes"] == 0 and mapped["calls"]["mremap"] == 3 and mapped["calls"]["failed"] == 4, mapped
    resident = sum(m["resident_bytes"] for m in mappings if not m["file"])
    part = process["process_memory"]["end"]["mapping_bytes"]
    assert resident + mapped["unseen_resident_bytes"] == part, (resident, mapped, part)
    assert MIB <= mapped["unseen_resident_bytes"] < MIB + MIB // 2, mapped
