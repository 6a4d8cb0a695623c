# heap_bytes.py - prints what each dump says of live bytes counted one by one.
# --near N: only whether the peak is N within its bound, and 8 KiB that starting threads takes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

args = sys.argv[1:]
near = None
if args[0] == "--near":
    near = int(args[1])
    args = args[2:]
score, *dumps = args
for dump in dumps:
    document = json.loads(subprocess.run([score, "--json", dump], check=True, capture_output=True).stdout)
    for process in document["processes"]:
        s = process["sampling"]
        text = f"live {s['heap_bytes']} peak {s['heap_peak']} error {s['heap_peak_error']}"
        if near is None:
            print(text)
        else:
            bound = s["heap_peak_error"]
            good = near - bound <= s["heap_peak"] <= near + bound + 8192 and 0 < bound <= 16384 * 8
            print("near" if good else "far: " + text)
