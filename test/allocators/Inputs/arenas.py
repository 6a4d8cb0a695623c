# arenas.py COMPARISON OWN CACHED - are glibc's figures those that the program had of itself, and do they add up to what was measured?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

HEAD = 8  # bytes that glibc keeps of a chunk, and as many more of one that is a mapping
PAGE = 4096
glibc, jemalloc = json.load(open(sys.argv[1], encoding="utf-8"))["allocators"]
heap, mmap, mmaps, in_use, free, free_chunks, chunks, size, large = map(int, open(sys.argv[2], encoding="utf-8").read().split())
cached = int(sys.argv[3])
figures, last = glibc["glibc_arenas"], glibc["samples"][-1]
faults = []


def check(what, value, expected):
    if value != expected:
        faults.append(f"{what}: {value}, not {expected}")


for key, expected in (("arenas", 1), ("heap_bytes", heap), ("mmap_bytes", mmap), ("mmap_chunks", mmaps), ("in_use_bytes", in_use),
                      ("free_bytes", free), ("free_chunks", free_chunks)):
    check(key, figures[key], expected)
# By hand: the chunks that live are one on two, and as many holes; the last piece is the top.
hole = size + HEAD
lives, holes = chunks // 2, chunks // 2 - cached
check("large", mmap, (large + 2 * HEAD + PAGE - 1) // PAGE * PAGE)
check("holes", figures["free_chunks"], holes + 1)
check("bytes of holes", figures["free_bytes"] - figures["top_bytes"], holes * hole)
check("heap", figures["heap_bytes"], figures["in_use_bytes"] + figures["free_bytes"])
check("system", figures["system_bytes"], figures["heap_bytes"])
check("system at most", figures["system_most_bytes"], figures["heap_bytes"])
# Ours: the same chunks, their heads, and what glibc has of its own: the record of a thread's cache and what is in it.
check("mapped", last["mapped_bytes"], figures["heap_bytes"] + figures["mmap_bytes"])
check("live", last["live_bytes"], lives * size + large)
check("usable", last["usable_bytes"], lives * size + mmap - 2 * HEAD)
check("cached", figures["cached_bytes"], in_use - lives * hole)
own = figures["cached_bytes"] - cached * hole
if not 0 < own < 1024:
    faults.append(f"glibc's own: {own}")
check("jemalloc", jemalloc["glibc_arenas"], None)
print("\n".join(faults))
sys.exit(bool(faults))
