"""check_callers.py DOCUMENT: threads and functions of callers.cpp, and what they are together.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

with open(sys.argv[1]) as file:
    document = json.load(file)
(process,) = document["processes"]
threads = {t["thread"]: t for t in document["threads"]}
functions = {f["function"]: f for f in document["functions"]}


def check(found, expected):
    assert found == expected, (found, expected)


check(sorted(threads), [1, 2])
names = ("allocations", "bytes", "frees", "foreign_frees", "live_bytes", "peak_bytes")
check([threads[2][name] for name in names], [100, 100000, 30, 0, 20000, 100000])
check(threads[1]["foreign_frees"], 50)
check(sum(t["allocations"] for t in threads.values()), process["allocations"])
check(sum(t["frees"] for t in threads.values()), process["frees"])
check(sum(t["live_bytes"] for t in threads.values()), process["live_bytes_at_end"])

check([functions[name]["calls"] for name in ("operator new", "operator new[]", "operator delete", "realloc", "aligned_alloc")],
      [10000, 500, 10500, 200, 1])
# Each realloc ends one chunk; pthread_create and the C++ library have their own.
check(functions["free"]["calls"], process["frees"] - 10500 - 200)
check(functions["operator new"]["bytes"], 40000)
check(sum(f["calls"] for name, f in functions.items() if name not in ("free", "operator delete")), process["allocations"])
for function in functions.values():
    check(function["timed_one_in"], 64)
    times = [function[name] for name in ("median_ns", "p99_ns", "mean_ns")]
    if function["timed"]:
        assert 0 <= times[0] <= times[1] and times[2] > 0, function
    else:
        check(times, [None, None, None])
# One in 64 of 10000 is 156, give or take 12 (one standard deviation is less).
assert 80 < functions["operator new"]["timed"] + functions["operator delete"]["timed"] < 800, functions
