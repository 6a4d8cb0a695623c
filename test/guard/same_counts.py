#!/usr/bin/env python3
"""same_counts.py SUITE DIRECTORY PLUGIN [FLAG...]: moves each program's variables to the heap; do all forms of hooks count the same?
SUITE and DIRECTORY as for same_behaviour.py; PLUGIN is what HeapVariables.cpp was built as.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A program is built with one hook for each access and with all that shortens that; test/exact/Inputs/compare_runs.py runs
both and compares each chunk.  A program that the plugin breaks (it must still behave as the plain one) is counted apart.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from judging import DIFFERENT, NOT_RUN, Tally, judged
from same_behaviour import SECONDS, build, run
from suites import SUITES

HERE = os.path.dirname(os.path.abspath(__file__))
COMPARE = os.path.join(HERE, "..", "exact", "Inputs", "compare_runs.py")
# The code generator would otherwise make one call of two, in one form only.
SAME_STACKS = ["-fno-optimize-sibling-calls", "-mllvm",
               "-enable-tail-merge=0"]
NAIVE_TAKES_TOO_LONG = 3 # compare_runs.py's exit status
FORMS = {"naive": ["-mllvm", "-heapprof-naive"], "profiled": []}


def judge(program, args):
    """(kind, text, accesses) of one program."""
    work = tempfile.mkdtemp(prefix="guard.")
    try:
        moved = ["-fpass-plugin=" + args.plugin, *args.flags]
        place = os.path.join(work, "run")
        plain, heap = [os.path.join(work, name) for name in ("plain", "heap")]
        if build("clang-22", program, args.flags, plain):
            return "does not build plainly", "", 0
        if build("clang-22", program, moved, heap):
            return "cannot be moved", "", 0
        results = [run(path, place, SECONDS) for path in (plain, heap)]
        if None in results or results[0] != results[1]:
            return "cannot be moved", "", 0
        for form, flags in FORMS.items():
            complaint = build(
                os.path.join(args.build, "bin", "heapprof-clang"), program,
                ["-fsanitize=heapprof", "-g", *SAME_STACKS, *moved, *flags],
                os.path.join(work, form))
            if complaint:
                return DIFFERENT, f"{form}: {complaint}", 0
        done = subprocess.run(
            [sys.executable, COMPARE,
             os.path.join(args.build, "bin", "heapprof-score"), work,
             f"--seconds={args.seconds:g}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode == NAIVE_TAKES_TOO_LONG:
            return "takes too long", "", 0
        text = done.stdout.decode("utf-8", "replace").strip()
        if done.returncode:
            return DIFFERENT, text[-2000:], 0
        counted = re.search(r"(\d+) reads, (\d+) writes, 0 differ", text)
        return "same", "", sum(map(int, counted.groups()))
    except subprocess.TimeoutExpired:
        return "takes too long", "", 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("directory", type=os.path.abspath)
    parser.add_argument("plugin", type=os.path.abspath)
    parser.add_argument("--build", type=os.path.abspath, default="build",
                        help="the tree that heapprof was built in")
    parser.add_argument("--seconds", type=float, default=120,
                        help="that each run with hooks may take")
    parser.add_argument("--only", help="programs whose name has this")
    args, args.flags = parser.parse_known_args()
    programs = [program for program in SUITES[args.suite](
        args.directory, "clang-22")
        if program.source.endswith(".c") and
        (not args.only or args.only in program.name)]
    tally, accesses = Tally(), 0
    for program, result in judged(programs, lambda one: judge(one, args)):
        kind, text, counted = result or (NOT_RUN, "", 0)
        tally.add(kind)
        accesses += counted
        if kind == DIFFERENT:
            print(f"{program.name}: {kind}: {text}", flush=True)
    print(f"{args.suite} {' '.join(args.flags)}: {len(programs)} programs, "
          f"{accesses} accesses: {tally}")
    return tally.failed()


if __name__ == "__main__":
    sys.exit(main())
