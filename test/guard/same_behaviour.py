#!/usr/bin/env python3
"""same_behaviour.py SUITE DIRECTORY [FLAG...]: builds each program plainly and with heapprof, runs both, prints what differs.
SUITE is one of suites.py; DIRECTORY is that of fetch_suites.sh, or, for the suite `directory`, one of programs.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Compared are exit status (or signal), standard output and standard error.  A program that does not build plainly, or does
not end plainly within the limit, says nothing about us and is counted apart; so is one whose two plain runs differ.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from judging import DIFFERENT, NOT_RUN, Tally, judged
from suites import SUITES

SECONDS = 20      # of a plain run
SECONDS_MORE = 5  # times as much for the profiled one
LOOKS = 8         # plain runs more, before a difference is called ours


def build(compiler, program, flags, target):
    """The compiler's first line of complaint, or None."""
    done = subprocess.run(
        [compiler, "-w", *flags, *program.flags, program.source, "-o", target,
         *program.libraries],
        cwd=os.path.dirname(target), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0:
        return None
    text = done.stdout.decode("utf-8", "replace").strip().split("\n")
    return next((line for line in text if "error" in line), text[-1])


def run(path, directory, seconds, options=None):
    """In an empty directory that has the same name each time; None: no end."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    environment = {"PATH": os.environ["PATH"], "HOME": directory}
    if options:
        environment["HEAPPROF_OPTIONS"] = options
    process = subprocess.Popen(
        ["./program"], executable=path, cwd=directory, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        out = None
    try:
        os.killpg(process.pid, 9) # what it left behind, too
    except ProcessLookupError:
        pass
    if out is None:
        process.communicate()
        return None
    return process.returncode, out, err


def describe(plain, profiled):
    if profiled is None:
        return f"does not end within {SECONDS * SECONDS_MORE} s"
    parts = []
    for name, one, other in zip(("status", "output", "errors"), plain,
                                profiled):
        if one == other:
            continue
        if name == "status":
            parts.append(f"status {one} -> {other}")
            continue
        lines = [text.decode("utf-8", "replace").split("\n")
                 for text in (one, other)]
        at = next((i for i, both in enumerate(zip(*lines))
                   if both[0] != both[1]), min(map(len, lines)) - 1)
        parts.append(f"{name}, line {at + 1}: " + " -> ".join(
            (text + [""])[at][:100] for text in lines))
    return "; ".join(parts)


def judge(program, args):
    """(kind, text) of one program."""
    work = tempfile.mkdtemp(prefix="guard.")
    try:
        plain, profiled = [os.path.join(work, name)
                           for name in ("plain", "profiled")]
        compilers = (("clang++-22", "heapprof-clang++")
                     if program.source.endswith((".cpp", ".cc"))
                     else ("clang-22", "heapprof-clang"))
        complaint = build(compilers[0], program, args.flags, plain)
        if complaint:
            return "does not build plainly", complaint
        place = os.path.join(work, "run")
        first, again = [run(plain, place, SECONDS) for _ in range(2)]
        if first is None or again is None:
            return "does not end plainly", ""
        if first != again:
            return "differs from run to run", describe(first, again)
        if args.passing and first[0] != 0:
            return "does not pass plainly", f"status {first[0]}"
        complaint = build(
            os.path.join(args.build, "bin", compilers[1]), program,
            [*args.flags, "-fsanitize=heapprof"], profiled)
        if complaint:
            return DIFFERENT, "builds plainly only: " + complaint
        dumps = os.path.join(work, "dumps")
        os.makedirs(dumps)
        result = run(profiled, place, SECONDS * SECONDS_MORE,
                     f"dump_dir='{dumps}'")
        if result == first:
            return "same", ""
        # Threads may come in another order, but seldom in a plain run.
        if any(run(plain, place, SECONDS) != first for _ in range(LOOKS)):
            return "differs from run to run", describe(first, result)
        return DIFFERENT, describe(first, result)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("directory", type=os.path.abspath)
    parser.add_argument("--build", type=os.path.abspath, default="build",
                        help="the tree that heapprof was built in")
    parser.add_argument("--passing", action="store_true",
                        help="leave out programs that fail plainly")
    parser.add_argument("--only", help="programs whose name has this")
    parser.add_argument("--verbose", action="store_true",
                        help="name what is left out, too")
    args, args.flags = parser.parse_known_args()
    programs = [program for program in SUITES[args.suite](
        args.directory, "clang-22")
        if not args.only or args.only in program.name]
    tally = Tally()
    for program, result in judged(programs, lambda one: judge(one, args)):
        kind, text = result or (NOT_RUN, "")
        tally.add(kind)
        if kind == DIFFERENT or (args.verbose and kind != "same"):
            print(f"{program.name}: {kind}: {text}", flush=True)
    print(f"{args.suite} {' '.join(args.flags)}: {len(programs)} programs: "
          f"{tally}")
    return tally.failed()


if __name__ == "__main__":
    sys.exit(main())
