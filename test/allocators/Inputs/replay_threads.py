# replay_threads.py REPLAY RUN SCORE - has the replay of a run of several threads their arenas, and the chunks and peaks of the run?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

replay, run = (json.load(open(path, encoding="utf-8"))["allocators"][0] for path in sys.argv[1:3])
profiled = json.load(open(sys.argv[3], encoding="utf-8"))["global"]
faults = []
if replay["glibc_arenas"]["arenas"] != run["glibc_arenas"]["arenas"]:
    faults.append(f"arenas: {replay['glibc_arenas']['arenas']}, not {run['glibc_arenas']['arenas']}")
if replay["glibc_arenas"]["arenas"] < 2:
    faults.append("one arena only")
for what, value, expected in (("peak", replay["peak_live_bytes"], run["peak_live_bytes"]), ("peak of the log", replay["peak_live_bytes"], profiled["peak_bytes"]),
                              ("mapped", replay["peak_mapped_bytes"], run["peak_mapped_bytes"])):
    if abs(value - expected) > expected / 20:
        faults.append(f"{what}: {value}, not {expected}")
# What a thread takes to begin is in the log, and is taken again.
more = replay["allocations"] - profiled["chunks"]
if not 0 <= more <= 24:
    faults.append(f"{more} chunks too many")
print("\n".join(faults))
sys.exit(bool(faults))
