# check_sqlite.py SCORE DATABASE - the tables hold what the JSON document holds.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sqlite3
import sys

import score

document = score.load(sys.argv[1])
database = sqlite3.connect(sys.argv[2])
database.row_factory = sqlite3.Row
assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"

PAGES = {"page_chunks": "chunks", "page_bytes": "bytes", "touched_bytes": "touched_bytes", "resident_bytes": "resident_bytes"}
SAMPLED = {"sampled_page_chunks": "chunks", "sampled_page_bytes": "bytes", "sampled_touched_bytes": "touched_bytes",
           "sampled_unused_chunks": "unused_chunks"}
STALE = {"stale_chunks": "chunks", "stale_bytes": "stale_bytes"}
TEARDOWN = {"watched_chunks": "watched_chunks", "watched_freed": "freed_chunks", "torn_chunks": "torn_chunks", "torn_late_chunks": "late_chunks",
            "torn_unread_chunks": "unread_chunks", "watched_useful_lifetime": "useful_lifetime", "settled_lifetime": "settled_lifetime"}
INITIALISED = {"initialised_chunks": "chunks", "initialised_lost": "lost_chunks", "initialised_filled": "filled_chunks", "initialised_bytes": "bytes",
               "initialised_only_bytes": "only_bytes"}
RESIZES = {"reallocs": "calls", "reallocs_in_place": "in_place"} | {
    f"realloc_{name}": name for name in ("moved_bytes", "grown_bytes", "shrunk_bytes", "jump_from", "jump_to")}

CONTENTS = {f"content_{name}": name for name in ("chunks", "bytes", "zero_bytes", "uniform_chunks", "sparse_chunks", "different", "different_bytes")}
BLOCKS = {f"block_{name}": name for name in ("chunks", "bytes", "objects", "object_bytes", "most_bytes", "mean_bytes", "idle_chunks", "idle_bytes")}


def same(found, wanted):
    if isinstance(wanted, str):
        return found == score.clean(wanted)
    if isinstance(wanted, float):
        return found is not None and abs(found - wanted) <= 1e-12 * max(1, wanted)
    return found == (min(wanted, 2**63 - 1) if wanted is not None else None)


def compare(row, wanted, skip=()):
    for column in row.keys():
        if column not in skip:
            assert same(row[column], wanted[column]), (column, row[column], wanted[column])


notes = [r[0] for r in database.execute("SELECT text FROM warnings")]
assert notes == document["warnings"]
rows = database.execute("SELECT * FROM processes ORDER BY process").fetchall()
assert len(rows) == len(document["processes"])
for row, p in zip(rows, document["processes"]):
    compare(row, {**p, "dropped_points": p["dropped"]["points"],
                  "dropped_chunks": p["dropped"]["chunks"]}, ["process"])
points = {p["id"]: p for p in document["points"]}
rows = database.execute("SELECT p.*, r.pid AS pid FROM points p JOIN processes r USING (process)").fetchall()
assert len(rows) == len(points)
for row in rows:
    p = points[row["id"]]
    compare(row, {**p, **(p["site"] or dict.fromkeys(("function", "file", "line", "column", "module"))),
                  **p["scores"], **p["threads"],
                  **{name: (p["pages"] or {}).get(member) for name, member in PAGES.items()},
                  **{name: (p["sampled_pages"] or {}).get(member) for name, member in SAMPLED.items()},
                  **{name: (p["stale"] or {}).get(member) for name, member in STALE.items()},
                  **{name: (p["teardown"] or {}).get(member) for name, member in TEARDOWN.items()},
                  **{name: (p["initialised"] or {}).get(member) for name, member in INITIALISED.items()},
                  **{name: (p["resizes"] or {}).get(member) for name, member in RESIZES.items()},
                  **{name: (p["contents"] or {}).get(member) for name, member in CONTENTS.items()},
                  **{name: (p["blocks"] or {}).get(member) for name, member in BLOCKS.items()},
                  "content_all_different": ((p["contents"] or {}).get("of_all") or {}).get("different"),
                  **{f"{a}_{b}": p[a][b] for a in ("size", "lifetime_ns") for b in ("min", "mean", "max")}},
            ["process"])
    frames = database.execute("SELECT * FROM frames WHERE point = ? ORDER BY depth", (p["id"],)).fetchall()
    assert len(frames) == len(p["stack"])
    for frame, wanted in zip(frames, p["stack"]):
        compare(frame, wanted, ["point", "depth"])
    inferences = database.execute("SELECT * FROM inferences WHERE point = ?", (p["id"],)).fetchall()
    assert len(inferences) == len(p["inferences"])
    for inference in inferences:
        compare(inference, p["inferences"][inference["name"]], ["point", "name"])

PLACE = ("function", "file", "line", "column", "module")
rows = database.execute("SELECT * FROM objects ORDER BY object").fetchall()
assert len(rows) == len(document["objects"]), (len(rows), len(document["objects"]))
for row, o in zip(rows, document["objects"]):
    places = {f"{prefix}_{name}": (o[f"{prefix}_by"] or dict.fromkeys(PLACE))[name]
              for prefix in ("allocated", "freed") for name in PLACE}
    compare(row, {**o, **places}, ["object"])
    linked = database.execute("SELECT point FROM object_points WHERE object = ? ORDER BY point", (row["object"],))
    assert [r["point"] for r in linked] == o["points"]
    for freed, by in enumerate(("allocated_by", "freed_by")):
        frames = database.execute("SELECT * FROM object_frames WHERE object = ? AND freed = ? ORDER BY depth",
                                  (row["object"], freed)).fetchall()
        assert [f["depth"] for f in frames] == list(range(len(frames)))
        assert o[by] is None or any(all(same(f[name], o[by][name]) for name in PLACE) for f in frames), (by, o)
