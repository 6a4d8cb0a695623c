# check_dhat.py SCORE FILE TREE - the points of the file, and of the tree that DHAT's viewer made of it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import collections
import sys

import score

document, file, tree = (score.load(p) for p in sys.argv[1:])
frames, process = file["ftbl"], document["processes"][0]
assert frames[0] == "[root]" and len(set(frames)) == len(frames)
assert file["te"] == process["window_ns"] and file["pid"] == process["pid"] and file["tg"] <= file["te"]
assert len({tuple(p["fs"]) for p in file["pps"]}) == len(file["pps"]), "a stack twice"
assert all(p["fs"] and 0 not in p["fs"] for p in file["pps"])


def name(f):
    place = f"{score.clean(f['file'])}:{f['line'] or 0}" if f["file"] else "in " + score.clean(f["module"] or "???")
    return f"{f['address']}: {score.clean(f['function'] or '???')}", f" ({place})"


wanted, found = collections.Counter(), collections.Counter()
for p in document["points"]:
    texts = [name(f) for f in p["stack"]] or [("0x0: (no stack)", " (in ???)")]
    leaf = texts[0][0] + (f" [{score.clean(p['type'])}]" if p["type"] else "") + texts[0][1]
    wanted[leaf, *("".join(t) for t in texts[1:]),
           p["bytes"], p["chunks"], p["peak_bytes"], p["bytes_at_global_peak"], p["live_bytes"], p["live_chunks"]] += 1
for p in file["pps"]:
    texts = [frames[i] for i in p["fs"]]
    found[texts[0].replace(" #2", ""), *texts[1:],
          p["tb"], p["tbk"], p["mb"], p["gb"], p["eb"], p["ebk"]] += 1
    low, high = p["mbk"], p["gbk"]
    assert low <= p["tbk"] and high <= p["tbk"] and (p["mb"] == 0) == (low == 0) and (p["gb"] == 0) == (high == 0)
assert found == wanted, (found - wanted, wanted - found)
for member, metric in (("bytes", "bytes"), ("chunks", "chunks"), ("at_peak", "bytes_at_global_peak"),
                       ("at_end", "live_bytes"), ("at_end_chunks", "live_chunks")):
    assert tree[member] == score.total(document, metric), member
exact = all(p["size"]["min"] in (p["size"]["max"], None) and not p["live_chunks"] for p in document["points"])
assert not exact or "estimates" not in file["cmd"]
