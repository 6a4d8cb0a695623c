# counts.py COMPARISON TRACE... - are the calls of each allocator those in the trace of strace at its place?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import json
import re
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
faults = []
for a, trace in zip(document["allocators"], sys.argv[2:], strict=True):
    lines = open(trace, encoding="utf-8").read().splitlines()
    traced = collections.Counter(m[1] for m in (re.match(r"(?:\d+ +)?(\w+)\(", line) for line in lines) if m)
    counted = {name: a[f"{name}_calls"] for name in ("brk", "mmap", "munmap", "mremap", "madvise")}
    if counted["mmap"] == 0 or any(traced[name] != count for name, count in counted.items()):
        faults.append(f"{a['name']}: {counted}, strace {dict(traced)}")
print("\n".join(faults))
sys.exit(bool(faults))
