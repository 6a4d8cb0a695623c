# pair_cost.py - checks whether what a finding's pairs of malloc and free cost was assumed, 50 ns, or timed.
# Standard input: what heapprof-score --json prints of a program with one finding of 20,000 chunks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

profile = json.load(sys.stdin)
finding, = [f for f in profile["findings"] if f["chunks"] == 20000]
pair = finding["cost_ns"] / finding["chunks"]
if (abs(pair - 50) < 1e-6) != (sys.argv[1] == "assumed"):
    sys.exit(f"pair_cost.py: a pair costs {pair} ns")
