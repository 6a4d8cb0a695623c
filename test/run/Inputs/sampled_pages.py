# sampled_pages.py < SCORE.json - what is known of small chunks that have pages of their own, a line for each function of pages-sampled.c.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys


def part(count, whole):
    return "none" if count == 0 else "as many" if count == whole else f"{count} of {whole}"


points = {(point["site"] or {}).get("function"): point for point in json.load(sys.stdin)["points"]}
for name in ("make_history", "make_buffer", "make_table"):
    point = points[name]
    pages = point["sampled_pages"]
    chunks, touched = pages["chunks"], pages["touched_bytes"]
    assert point["pages"] is None and 8 <= chunks <= point["chunks"] / 8, (name, point["chunks"], pages)
    assert pages["bytes"] == chunks * point["bytes"] // point["chunks"], (name, pages)
    text = f"{name}: some of {point['chunks']}, {part(pages['unused_chunks'], chunks)} unused"
    if touched:
        text += f", {part(pages['sparse_chunks'], chunks)} sparse"
    print(text + (", touched 0" if not touched else ", all touched" if touched == pages["bytes"] else f", {touched // chunks} touched of each"))
