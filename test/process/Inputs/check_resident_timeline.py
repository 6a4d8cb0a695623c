# check_resident_timeline.py score|report < JSON - little was resident at first and at last, and 64 MiB in between; what nobody saw is null.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

MIB = 1 << 20
document = json.load(sys.stdin)
if sys.argv[1] == "score":
    (timeline,) = document["timelines"]
    least, most = timeline["resident_min"], timeline["resident_max"]
    assert len(least) == len(most) == len(timeline["end_ns"])
    assert [bytes is None for bytes in least] == [bytes is None for bytes in most]
    known = [(low, high) for low, high in zip(least, most) if high is not None]
    assert all(0 < low <= high for low, high in known), known
    assert min(low for low, _ in known) < 32 * MIB and known[-1][0] < 32 * MIB, known
    peak = document["processes"][0]["process_memory"]["peak"]["rss_bytes"]
    assert 64 * MIB <= peak <= max(high for _, high in known) < 128 * MIB, (peak, known)
else:
    timeline = document["timeline"]
    assert len(timeline["resident"]) == len(timeline["high"])
    assert 64 * MIB <= max(bytes for bytes in timeline["resident"] if bytes) < 256 * MIB, timeline["resident"]
