# check_leaks.py [--prefix=WORD] SCORE SOURCE DIR - the LEAK lines of SOURCE against the dump in DIR.
# "LEAK function lost=N indirect=N reachable=N held=N": over all points in a stack of that function,
# what is not named is 0.  "CHECK text" is the process's leak_check, "done" unless it is given.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import re
import subprocess
import sys

prefix = "LEAK"
arguments = sys.argv[1:]
if arguments[0].startswith("--prefix="):
    prefix = arguments.pop(0).split("=")[1]
score, source, directory = arguments
dump = glob.glob(directory + "/heapprof.*")
assert len(dump) == 1, dump
document = json.loads(subprocess.run([score, "--json", dump[0]], check=True, capture_output=True).stdout)
NAMES = {"lost": "lost", "indirect": "lost_indirectly", "reachable": "still_reachable"}
wrong = 0
wanted_answer = "done"


def measured(function):
    sums = dict.fromkeys(list(NAMES) + ["held"], 0)
    for point in document["points"]:
        if not any((frame["function"] or "").split("(")[0] == function for frame in point["stack"]):
            continue
        for name, inference in NAMES.items():
            sums[name] += point["inferences"][inference]["chunks"]
        sums["held"] += point["held"]["chunks"]
    return sums


def compare(what, is_so, wanted):
    global wrong
    if is_so != wanted:
        wrong += 1
        print(f"{what}: {is_so}, not {wanted}")


checks = 0
for line in open(source):
    answer = re.search(rf"\b{prefix}_CHECK (.*)$", line)
    if answer:
        wanted_answer = None if answer[1] == "none" else answer[1]
    match = re.search(rf"\b{prefix} (\w+)((?: \w+=\d+)*)\s*$", line)
    if match:
        checks += 1
        wanted = dict.fromkeys(list(NAMES) + ["held"], 0)
        wanted.update((k, int(v)) for k, v in (pair.split("=") for pair in match[2].split()))
        compare(match[1], measured(match[1]), wanted)
compare("leak_check", document["processes"][0]["leak_check"], wanted_answer)
sys.exit(wrong or not checks)
