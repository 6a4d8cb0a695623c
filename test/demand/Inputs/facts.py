# facts.py SCORE DUMP-DIR - one line for each dump: number, how it ended, allocations, frees, earlier frees, live bytes.
# In the order of their numbers; the process's last dump, which has none, comes last.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import subprocess
import sys

score, dump_dir = sys.argv[1:]


def number(name):
    """N of heapprof.<program>.<pid>.N; the last dump's is greater than all."""
    match = re.search(r"\.tmp\.[0-9]+\.([0-9]+)$", name)
    return int(match[1]) if match else sys.maxsize


for name in sorted(os.listdir(dump_dir), key=number):
    out = subprocess.run([score, "--json", os.path.join(dump_dir, name)], stdout=subprocess.PIPE, check=True).stdout
    data = json.loads(out)
    p = data["processes"][0]
    print("last" if number(name) == sys.maxsize else number(name), p["ended"], p["allocations"], p["frees"],
          p["inherited_frees"], sum(point["live_bytes"] for point in data["points"]))
