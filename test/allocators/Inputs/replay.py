# replay.py COMPARISON SCORE - has the replay of a run the chunks, the peak and the end that its scores have?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

replay = json.load(open(sys.argv[1], encoding="utf-8"))["allocators"][0]
score = json.load(open(sys.argv[2], encoding="utf-8"))
run = score["global"]
live = sum(p["live_bytes_at_end"] for p in score["processes"])
print(f"chunks {replay['allocations'] == run['chunks']}, peak {replay['peak_live_bytes'] == run['peak_bytes']},",
      f"live at the end {replay['live_bytes_at_end'] == live}")
