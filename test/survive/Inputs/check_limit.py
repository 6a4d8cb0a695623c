# check_limit.py SCORE DUMP-DIR PLAIN PROFILED LIMIT=BYTES PERCENT LESS [ARG...] - runs a program plain and profiled
# under a limit of memory, AS=, DATA=, SOFT_AS=, or NONE=0. Each prints a number of bytes that it got: the profiled one must get PERCENT of the
# plain one's less LESS bytes, write a whole dump and say nothing. No checkpoint is written: it has 10 MB for a moment, which
# on a busy machine may be the one of the last malloc.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import resource
import shutil
import subprocess
import sys

score, dump_dir, plain, profiled, limit, percent, less = sys.argv[1:8]
args = sys.argv[8:]
which, _, most = limit.partition("=")


def limit_memory():
    if which != "NONE":
        name = which.replace("SOFT_", "")
        hard = int(most) if name == which else resource.RLIM_INFINITY
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (int(most), hard))


def run(program, environment):
    done = subprocess.run([program] + args, env=environment, preexec_fn=limit_memory, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode or done.stderr:
        sys.exit("check_limit.py: %s %s: %r" % (limit, args, done))
    return int(done.stdout)


options = "dump_dir='%s':checkpoint_ms=0:%s" % (dump_dir, os.environ.get("HEAPPROF_MORE", ""))

shutil.rmtree(dump_dir, ignore_errors=True)
os.mkdir(dump_dir)
expected = run(plain, os.environ)
found = run(profiled, dict(os.environ, HEAPPROF_OPTIONS=options))
print("%s %s: %d of %d bytes" % (limit, args, found, expected))
if found < expected * int(percent) / 100 - int(less):
    sys.exit("check_limit.py: too few")
text = subprocess.run([score, "--json", dump_dir], stdout=subprocess.PIPE, check=False).stdout
process, = json.loads(text)["processes"]
if not process["complete"] or process["ended"] != "exit" or not process["allocations"]:
    sys.exit("check_limit.py: %r" % process)
