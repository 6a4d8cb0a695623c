# check_speedscope.py SCORE FILE - the rules of speedscope's file format, and the numbers of the JSON document.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

import score

document, file = score.load(sys.argv[1]), score.load(sys.argv[2])
assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
frames = file["shared"]["frames"]
for frame in frames:
    assert set(frame) <= {"name", "file", "line", "col"} and isinstance(frame["name"], str)
order = ["bytes_at_global_peak", "bytes", "chunks", "live_bytes", "unused"]
assert len(file["profiles"]) == len(order)
for name, profile in zip(order, file["profiles"]):
    assert profile["type"] == "sampled" and profile["unit"] in ("bytes", "none")
    assert len(profile["samples"]) == len(profile["weights"])
    assert profile["startValue"] == 0
    assert profile["endValue"] == score.saturate(sum(profile["weights"])) == score.total(document, name), name
    wanted = sorted(([score.function(f) for f in reversed(p["stack"])], score.metric(p, name))
                    for p in document["points"] if score.metric(p, name))
    found = sorted(([frames[i]["name"] for i in sample], weight)
                   for sample, weight in zip(profile["samples"], profile["weights"]))
    assert found == wanted, (name, found, wanted)
