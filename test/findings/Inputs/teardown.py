# teardown.py < SCORE.json - what was watched of the nodes of teardown.cpp, beside what their useful life is with their destructors.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

known = [p["teardown"] for p in json.load(sys.stdin)["points"] if p["type"] == "Node" and p["teardown"]]
watched, freed, torn = (sum(t[name] for t in known) for name in ("watched_chunks", "freed_chunks", "torn_chunks"))
settled, useful = (sum(t[name] * t["freed_chunks"] for t in known) / freed for name in ("settled_lifetime", "useful_lifetime"))
print("watched," if watched >= 1000 and freed == watched else f"watched {watched}, freed {freed},",
      "mostly torn," if torn * 10 >= freed * 9 else f"torn {torn},",
      "settled below 0.2," if settled < 0.2 else f"settled {settled},",
      "useful above 0.8," if useful > 0.8 else f"useful {useful},",
      "by", {t["reader"] and t["reader"]["function"] for t in known if t["torn_chunks"]})
