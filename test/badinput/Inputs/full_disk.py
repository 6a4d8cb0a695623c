"""full_disk.py SCORE PROGRAM DIR KEPT - profiles PROGRAM on file systems of growing size, mounted on DIR.
KEPT is the command of result_kept.py; runs in a mount namespace of its own.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import glob
import json
import shlex
import subprocess
import sys

score, program, directory, kept = sys.argv[1:]
kept = shlex.split(kept)
PAGES = list(range(1, 32)) + [48, 96, 192, 400]
counts = {"nothing kept": 0, "incomplete": 0, "without log": 0,
          "whole": 0}

for pages in PAGES:
    subprocess.run(["mount", "-t", "tmpfs", "-o",
                    "size=%dk" % (4 * pages), "none", directory], check=True)
    options = "chunk_log=all:dump_compression=0:dump_dir=" + directory
    result = subprocess.run(
        kept + ["--silent", options, "", program, "12000"],
        stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode:  # not silent, so it must be the one line
        subprocess.run(kept + [options, "No space left on device; .*free",
                               program, "12000"], check=True)
    for dump in glob.glob(directory + "/heapprof.*"):
        one = subprocess.run([score, "--json", "--no-cache", dump],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, check=False)
        lines = one.stderr.splitlines()
        if one.returncode == 3:
            assert len(lines) == 1 and dump in lines[0] and not one.stdout, one
            counts["nothing kept"] += 1
            continue
        assert one.returncode == 0, one
        document = json.loads(one.stdout)
        process, = document["processes"]
        if result.returncode == 0:
            assert process["complete"] and not document["warnings"], one
            assert document["global"]["chunks"] == 12000, one
            counts["whole"] += 1
        elif process["complete"]:  # the log alone did not fit
            assert len(document["warnings"]) == 1, one
            assert "of 12000 chunks logged, because" in document["warnings"][0]
            assert document["global"]["chunks"] == 12000, one
            counts["without log"] += 1
        else:
            assert 1 <= len(document["warnings"]) <= 2, one
            assert "incomplete" in document["warnings"][0], one
            assert document["global"]["chunks"] <= 12000, one
            counts["incomplete"] += 1
    subprocess.run(["umount", directory], check=True)

for name, count in counts.items():
    print("%s: %d" % (name, count))
