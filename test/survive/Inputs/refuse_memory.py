"""refuse_memory.py SCORE DUMP-DIR PROGRAM - runs PROGRAM, and strace refuses it one call for memory, or all from one on.
Checks what PROGRAM (no-memory.c) says and the dump; prints how many runs ended how.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys

CALLS = 50 # at each of so many, of the runtime's first
HEAP = "0x18000000000" # the first call that names it is the runtime's

score, dump_dir, program = sys.argv[1:]


def run(*arguments):
    shutil.rmtree(dump_dir, ignore_errors=True)
    options = "dump_dir='%s':checkpoint_ms=0" % dump_dir
    return subprocess.run(["strace", "-qq", "-e", "trace=mmap,mprotect", *arguments, program],
                          env=dict(os.environ, HEAPPROF_OPTIONS=options), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def calls():
    """The name of each call, and which was the runtime's first."""
    path = dump_dir + ".calls"
    run("-o", path)
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    first = next(number for number, line in enumerate(lines) if HEAP in line)
    return [line.partition("(")[0] for line in lines], first


def refusals(names, number, from_then_on):
    """Arguments for strace, which counts each name for itself."""
    for name in ("mmap", "mprotect"):
        if from_then_on or names[number] == name:
            yield "-e"
            yield "inject=%s:error=ENOMEM:when=%d%s" % (name, names[:number].count(name) + 1, "+" * from_then_on)


def outcome_of(done):
    lines = done.stderr.splitlines()
    ours = [line for line in lines if "heapprof" in line]
    said = [line for line in lines if line not in ours]
    if done.returncode == 1:
        good = len(ours) == 1 and not said and "ulimit -v" in ours[0] and not os.path.exists(dump_dir)
        return "did not start" if good else None
    if done.returncode != 3 or len(said) != 1 or not re.fullmatch(r"\d+ 0", said[0]) or len(ours) > 1:
        return None
    had = int(said[0].split()[0])
    dumps = os.listdir(dump_dir) if os.path.isdir(dump_dir) else []
    if ours and "cannot write the dump: " not in ours[0]:
        return None
    if dumps:
        read = subprocess.run([score, "--json", dump_dir], stdout=subprocess.PIPE, check=False)
        if read.returncode:
            return None
        process = json.loads(read.stdout)["processes"][0]
        if not ours and process["allocations"] != had:
            return None
    elif not ours:
        return None
    return "without a part of the profile" if ours or had < 400 else "ran whole"


def main():
    names, first = calls()
    for from_then_on, title in ((False, "once"), (True, "from then on")):
        outcomes = collections.Counter()
        for number in range(first, first + CALLS):
            done = run("-o", "/dev/null", *refusals(names, number, from_then_on))
            outcome = outcome_of(done)
            if not outcome:
                sys.exit("refuse_memory.py: call %d refused %s: %r" % (number, title, done))
            outcomes[outcome] += 1
        print("%s: %s" % (title, ", ".join("%d %s" % (outcomes[outcome], outcome) for outcome in (
            "ran whole", "without a part of the profile", "did not start"))))


main()
