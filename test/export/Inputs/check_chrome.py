# check_chrome.py SCORE FILE - trace events by their rules; totals are those of the JSON document.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import sys

import score

document, file = score.load(sys.argv[1]), score.load(sys.argv[2])
by_process = collections.defaultdict(lambda: collections.defaultdict(list))
for event in file["traceEvents"]:
    assert event["ph"] in "CMi" and event["ts"] >= 0
    by_process[event["pid"]][event["name"]].append(event)
assert len(by_process) == len(document["processes"])
for process in document["processes"]:
    events = by_process[process["pid"]]
    assert len(events["process_name"]) == 1
    for counters in events.values():
        times = [e["ts"] for e in counters]
        assert times == sorted(times)
        assert times[-1] * 1000 <= process["window_ns"] + 1
    value = lambda name: [next(iter(e["args"].values())) for e in events[name]]
    assert sum(value("allocations")) == process["allocations"]
    assert max(value("live bytes, most")) == process["peak_bytes"] == value("peak")[0]
    assert value("live bytes, most")[-1] == process["live_bytes_at_end"]
    assert all(a <= b for a, b in zip(value("live bytes, least"), value("live bytes, most")))
points = [p for p in document["points"]]
assert sum(sum(next(iter(e["args"].values())) for e in p["bytes allocated"]) for p in by_process.values()) == \
    sum(p["bytes"] for p in points)
