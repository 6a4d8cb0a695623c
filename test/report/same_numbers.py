# same_numbers.py SCORE.json REPORT.json - the report's document says what heapprof-score says, of each point and in sum.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

score, report = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:3])
columns = report["points"]
faults = []


def check(what, expected, found):
    if expected != found:
        faults.append(f"{what}: {found!r}, heapprof-score has {expected!r}")


for member in ("processes", "warnings", "global", "findings", "findings_too_small"):
    check(member, score[member], report[member])

rows = {columns["id"][row]: row for row in range(columns["count"])}
CONTENTS = ("chunks", "bytes", "zero_bytes", "uniform_chunks", "sparse_chunks", "different", "different_bytes")
for point in score["points"]:
    row = rows.get(point["id"])
    if row is None:
        continue
    expected = {name: point[name] for name in ("chunks", "bytes", "bytes_at_global_peak", "live_chunks", "live_bytes", "reads",
                                               "writes", "bytes_accessed", "peak_bytes", "severity", "colour", "groups")}
    expected |= {name: point["scores"][name] for name in ("lifetime", "usage", "useful_lifetime")}
    errors = point["estimate"]["error"] if point["estimate"] else dict.fromkeys(("chunks", "bytes", "peak_bytes", "usage", "useful_lifetime"), 0)
    expected |= {"estimated": int(point["estimated"]), "samples": point["estimate"]["samples"] if point["estimate"] else 0,
                 "useful_lifetime_sampling_error": errors.pop("useful_lifetime")}
    expected |= {f"{name}_error": value for name, value in errors.items()}
    expected |= {f"{range_}_{end}": point[range_][end] for range_ in ("size", "lifetime_ns") for end in ("min", "mean", "max")}
    pages = point["pages"] or dict.fromkeys(("chunks", "bytes", "touched_bytes", "resident_bytes"), 0)
    expected |= {"page_chunks": pages["chunks"], "page_bytes": pages["bytes"], "touched_bytes": pages["touched_bytes"],
                 "resident_bytes": pages["resident_bytes"]}
    few = point["sampled_pages"] or dict.fromkeys(("chunks", "bytes", "touched_bytes", "unused_chunks"), 0)
    expected |= {"sampled_page_chunks": few["chunks"], "sampled_page_bytes": few["bytes"], "sampled_touched_bytes": few["touched_bytes"],
                 "sampled_unused_chunks": few["unused_chunks"]}
    stale = point["stale"] or dict.fromkeys(("chunks", "stale_bytes"), 0)
    expected |= {"stale_chunks": stale["chunks"], "stale_bytes": stale["stale_bytes"]}
    contents = point["contents"] or dict.fromkeys(CONTENTS, 0) | {"of_all": {"different": 0}}
    expected |= {f"content_{name}": contents[name] for name in CONTENTS} | {"content_all_different": contents["of_all"]["different"]}
    resizes = point["resizes"] or dict.fromkeys(("calls", "in_place", "moved_bytes", "grown_bytes", "shrunk_bytes", "jump_from", "jump_to"), 0)
    expected |= {"reallocs": resizes["calls"], "reallocs_in_place": resizes["in_place"]}
    expected |= {f"realloc_{name}": resizes[name] for name in ("moved_bytes", "grown_bytes", "shrunk_bytes", "jump_from", "jump_to")}
    teardown = point["teardown"] or {}
    expected |= {"watched_chunks": teardown.get("watched_chunks", 0), "watched_freed": teardown.get("freed_chunks", 0),
                 "torn_chunks": teardown.get("torn_chunks", 0), "torn_late_chunks": teardown.get("late_chunks", 0),
                 "torn_unread_chunks": teardown.get("unread_chunks", 0),
                 "watched_useful_lifetime": teardown.get("useful_lifetime"), "settled_lifetime": teardown.get("settled_lifetime")}
    initialised = point["initialised"] or {}
    expected |= {f"initialised_{name}": initialised.get(member, 0) for name, member in
                 (("chunks", "chunks"), ("lost", "lost_chunks"), ("filled", "filled_chunks"), ("bytes", "bytes"), ("only_bytes", "only_bytes"))}
    for name, value in expected.items():
        check(f"point {point['id']}, {name}", value, columns[name][row])
    for name, value in point["inferences"].items():
        for part in ("chunks", "bytes", "flagged"):
            check(f"point {point['id']}, {name}, {part}", int(value[part]), columns["inferences"][name][part][row])
    check(f"point {point['id']}, type", point["type"],
          None if columns["type_name"][row] is None else report["strings"][columns["type_name"][row]])

for name in ("chunks", "bytes", "bytes_at_global_peak", "live_chunks", "live_bytes", "reads", "writes", "bytes_accessed"):
    check(f"sum of {name}", sum(point[name] for point in score["points"]), sum(columns[name]))
check("points", len(score["points"]), sum(columns["points"]))
check("merged", len(score["points"]) - columns["count"], report["cut"]["points_merged"])
timeline = report["timeline"]
check("peak of the time line", score["global"]["peak_bytes"], max(timeline["high"]))
if not report["cut"]["points_without_series"] and not report["cut"]["points_merged"]:
    sums = [sum(column) for column in zip(*timeline["points"])] if timeline["points"] else [0] * len(timeline["high"])
    if timeline["estimated"]:
        check("points are more than the whole", [], [i for i, most in enumerate(timeline["high"]) if sums[i] > most])
    else:
        check("points' time lines", timeline["high"], sums)
for row, (sizes, lives) in enumerate(zip(report["histograms"]["size"], report["histograms"]["lifetime_ticks"])):
    check(f"sizes of row {row}", columns["chunks"][row], sum(sizes[1::2]))
    check(f"lifetimes of row {row}", columns["chunks"][row] - columns["live_chunks"][row], sum(lives[1::2]))
objects = report["objects"]
check("objects", len(score["objects"]) + score["objects_not_shown"], objects["count"])
check("objects left out", objects["count"] - len(objects["size"]), report["cut"]["objects_left_out"])
check("freed nobody knows where", score["freed_nobody_knows_where"], objects["freed_nobody_knows_where"])
if not score["objects_not_shown"] and not report["cut"]["objects_left_out"]:
    def name(frame):
        return None if frame is None else report["strings"][report["frames"]["function"][frame]]
    for row, expected in enumerate(score["objects"]):
        for member in ("size", "frequency", "mean_lifetime_ns", "ratio", "points", "freed_by_others_too", "reallocated"):
            check(f"object {row}, {member}", expected[member], objects[member][row])
        for member in ("allocated_by", "freed_by"):
            check(f"object {row}, {member}", (expected[member] or {"function": None})["function"], name(objects[member][row]))

print("\n".join(faults) or f"same: {len(rows)} of {len(score['points'])} points")
sys.exit(bool(faults))
