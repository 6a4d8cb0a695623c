# member_keys.py SCORE.json HEAPPROF-SCORE DUMP - which of the points of member-keys.c are in sets by what was done to members.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

document, score, dump = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2], sys.argv[3]
names = {point["id"]: {"make_walked": "walked", "make_kept": "kept", "main": "numbers"}[point["site"]["function"]]
         for point in document["points"] if point["site"]["function"] in ("make_walked", "make_kept", "main")}

expected = {
    "member_read=key": {"walked"},
    "member_read=next": {"walked", "kept"},
    "member_read=next & !member_read=key": {"kept"},
    "member_written=key & size>=1": {"walked", "kept"},
    "member_unused=spare": {"walked"},
    "member_unused=key": {"kept"},
    "member_unused=*": {"walked", "kept"},
    "member_read=ey": set(),  # a name is whole
    "member_read=at.x": {"walked"},
    "member_read=at.?": {"walked"},
    "member_written=at.*": {"walked"},
    "member_unused=at.y": {"walked", "kept"},
    "type=node & !member_unused=spare": {"kept"},
    "type=node & member_unused!=spare": {"kept"},
    "type=int & !member_read=*": {"numbers"},
}
for text, points in expected.items():
    out = subprocess.run([score, "--json", "--no-cache", "--filter", text, dump], check=True, capture_output=True).stdout
    found = {names.get(point["id"]) for point in json.loads(out)["points"]} - {None}
    assert found == points, (text, found)
