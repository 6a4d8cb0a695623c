# no_reachable_is_lost.py SCORE DIR - in a sample only lost() and what it calls has lost chunks.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import subprocess
import sys

score, directory = sys.argv[1:]
dump = glob.glob(directory + "/heapprof.*")
document = json.loads(subprocess.run([score, "--json", dump[0]], check=True, capture_output=True).stdout)
assert document["processes"][0]["leak_check"] == "done"
lost = reachable = 0
for point in document["points"]:
    is_lost = any(frame["function"] == "lose" for frame in point["stack"])
    inferences = point["inferences"]
    if not is_lost:
        assert not inferences["lost"]["chunks"] and not inferences["lost_indirectly"]["chunks"], point
    lost += inferences["lost"]["chunks"] + inferences["lost_indirectly"]["chunks"]
    reachable += inferences["still_reachable"]["chunks"]
assert lost and reachable, (lost, reachable)
