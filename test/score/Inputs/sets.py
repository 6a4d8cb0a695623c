# sets.py HEAPPROF-SCORE DUMP SET... - what is in each set, and that it adds up: with its opposite to the whole, its rows to it.
# The timeline of everything is the process's own, but for resident bytes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

SUMS = ("chunks", "bytes", "live_chunks", "live_bytes")
COLUMNS = ("begin_ns", "end_ns", "bytes_min", "bytes_max", "chunks_min", "chunks_max", "allocations", "bytes")


def ask(text):
    return json.loads(subprocess.run([sys.argv[1], "--json", "--no-cache", "--filter", text, sys.argv[2]],
                                     check=True, capture_output=True).stdout)


def histogram(document):
    return sum(bucket["chunks"] for point in document["points"] for bucket in point["size_histogram"])


def check(text, whole):
    document, rest = ask(text), ask(f"!({text})")
    own = document["set"]
    assert own["filter"] == text
    for name in SUMS:
        assert own[name] + rest["set"][name] == whole["set"][name], (text, name)
        assert own[name] == sum(point[name] for point in document["points"]), (text, name)
    assert histogram(document) == own["chunks"]
    assert own["points"] == len(document["points"])
    assert own["parts"] == sum(point["is_part"] for point in document["points"])
    assert document["global"] == whole["global"] and document["timelines"] == whole["timelines"]
    line = own["timelines"][0]
    assert sum(line["allocations"]) == own["chunks"] and sum(line["bytes"]) == own["bytes"]
    assert max(line["bytes_max"]) == own["peak_bytes"] and line["bytes_max"][-1] >= own["live_bytes"]
    assert not own["estimated"] and own["errors"] == {"chunks": 0, "bytes": 0}
    print(f"{text}: {own['chunks']}, {own['bytes']}")


def main():
    whole = ask("size>=0")
    for column in COLUMNS:
        assert whole["set"]["timelines"][0][column] == whole["timelines"][0][column], column
    assert whole["set"]["peak_bytes"] == whole["global"]["peak_bytes"]
    for name in ("chunks", "bytes", "points"):
        assert whole["set"][name] == whole["global"][name]
    at_peak = ask("live_at(peak)")
    assert at_peak["set"]["bytes"] == whole["global"]["peak_bytes"]
    assert sum(point["bytes_at_global_peak"] for point in at_peak["points"]) == whole["global"]["peak_bytes"]
    for text in sys.argv[3:]:
        check(text, whole)
    print("sums hold")


main()
