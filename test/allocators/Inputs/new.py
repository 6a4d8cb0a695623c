# new.py COMPARISON - calls of each allocator; of malloc and free those beyond what the library of C++ has for itself.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

for a in json.load(open(sys.argv[1], encoding="utf-8"))["allocators"]:
    calls = {f["function"]: f["calls"] for f in a["functions"]}
    print(a["name"], "new", calls["new"], "delete", calls["delete"], "malloc", calls["malloc"] - 1,
          "free", calls["free"] - a["unknown_frees"], "unknown", a["unknown_frees"])
