# map_values.py DOCUMENT - the cells of an address map as the document has them: how many of a region are alike.
# Of the last moment also whether every second one is empty.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
found = document["maps"][0]
cells = [s for s in found["stretches"] if s["region"] == 0][0]["cells"]
for moment in found["moments"]:
    print(f"{moment['name']} {moment['chunks']} chunks {moment['live_bytes']} live {moment['taken_bytes']} taken")
    own = [cell for cell in moment["cells"] if cell[0] < cells]
    known = {point["id"] for point in found["points"]}
    alike = {tuple(cell[1:4]) for cell in own}
    assert len(alike) == 1 and {cell[4] for cell in own} <= known, alike
    chunks, live, taken = alike.pop()
    print(f"{len(own)} of {cells} cells of region 0, each {chunks} chunk of {live} in {taken}")
if [cell[0] for cell in own] == list(range(1, cells, 2)):
    print("every second one")
