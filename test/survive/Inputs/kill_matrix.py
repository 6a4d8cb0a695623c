# kill_matrix.py SCORE PROGRAM DIRECTORY [EVERY-MS LIFE-MS] - kills a profiled program at one moment after the other.
# At each its dump must be absent or readable and say no more than the truth; prints how much was missing.
# On a busy machine it may be too early each time: then later, until a dump is there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import glob
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time

CHECKPOINT_MS = 20
PATIENCE_MS = 200000 # without any dump

score, program, directory = sys.argv[1:4]
every, life = (int(word) for word in sys.argv[4:6]) if len(sys.argv) > 4 else (40, 400)


def counted(path):
    """Allocations that the program has seen return."""
    with open(path, "rb") as file:
        page = file.read()
    return sum(struct.unpack_from("Q", page, 512 * k)[0] for k in (0, 1)) if len(page) == 4096 else 0


def kill_after(milliseconds):
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    counts = os.path.join(directory, "counts")
    dumps = os.path.join(directory, "dumps")
    options = "dump_dir='%s':checkpoint_ms=%d" % (dumps, CHECKPOINT_MS)
    with subprocess.Popen([program, counts], env=dict(os.environ, HEAPPROF_OPTIONS=options)) as process:
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGKILL)
        process.wait()
    truth = counted(counts) if os.path.exists(counts) else 0
    # A dump is there once its first file is, which takes its name when it is whole.
    if not glob.glob(os.path.join(dumps, "*", "header")):
        return truth, None
    done = subprocess.run([score, "--json", dumps], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        return truth, done.stderr.decode().strip()
    profile = json.loads(done.stdout)
    doubt = [line for line in profile["warnings"] if "contradicts" in line]
    if doubt:
        return truth, doubt[0]
    process = profile["processes"][0]
    if process["ended"] != "killed":
        return truth, "ended: " + process["ended"]
    return truth, process["allocations"]


absent = readable = 0
bad = []
shares = []
moment = 0
while moment < life or not (readable or bad) and moment < PATIENCE_MS:
    moment += every if moment < life else moment
    truth, found = kill_after(moment)
    print("%5d ms: %7d allocations, dump: %s" % (moment, truth, "none" if found is None else found))
    if found is None:
        absent += 1
    elif isinstance(found, str):
        bad.append("%d ms: %s" % (moment, found))
    else:
        readable += 1
        shares.append(found / truth if truth else 1)
        # Two threads may each be between an allocation and its count; libc allocates for them, too.
        if found > truth + 20:
            bad.append("%d ms: %d allocations of %d" % (moment, found, truth))
print("%d readable, %d none yet, %d bad" % (readable, absent, len(bad)))
if shares:
    shares.sort()
    print("share of the allocations that was there: least %.3f, median %.3f" % (shares[0], shares[len(shares) // 2]))
sys.exit("\n".join(bad) if bad else 0 if readable else "no dump was ever readable")
