# wrapped.py SCORES - the chunks of site() are known by who called the wrapper, and all are freed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

scores = json.load(open(sys.argv[1]))
process = scores["processes"][0]
assert process["allocations"] > 1000 and process["allocations"] - process["frees"] <= 3, process
assert process["invalid_frees"] == 0, process
sites = [p["site"]["function"] for p in scores["points"] if p["chunks"] == 1000]
assert sites == ["site"], sites
