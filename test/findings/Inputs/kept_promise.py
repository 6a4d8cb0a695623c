# kept_promise.py RULE SCORE.json REPAIRED.json - the peak of the repaired program is lower by what the finding of RULE says, within 10 %.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

rule = sys.argv[1]
before, after = (json.load(open(name, encoding="utf-8")) for name in sys.argv[2:4])
promised = sum(finding["saves"]["peak_bytes"] for finding in before["findings"] if finding["rule"] == rule)
saved = before["global"]["peak_bytes"] - after["global"]["peak_bytes"]
assert promised and abs(promised - saved) <= saved / 10, (promised, saved)
