# generation.py < SCORE.json - how often all chunks of a point were gone before the next one began.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

points = json.load(sys.stdin)["points"]
print(sum(p["generations"] == 2000 for p in points), "of", len(points), "points with 2000 generations")
