#!/usr/bin/env python3
"""compare_runs.py SCORE DIR [--input FILE] [--samples] [--seconds N] [-- ARG...]: runs DIR/naive and DIR/profiled; do both count the same?
Both are one program, built with one hook for each access and with all that shortens that; it does the same in each run.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

For each allocation point - a stack of functions, since addresses differ - and type, all sums, inferences and chunks must
be equal: each chunk's size, interval, counts, flags and threads, in the order in which each
thread allocated them.  What depends on the time is not compared.  With --samples all chunks are samples, so that forms of
functions for samples are executed.  Prints what was compared, and exits 1 if anything differs, or 3 if the naive run, which
says nothing of the other then, takes more than N seconds (120).
"""
import argparse
import collections
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "edge", "Inputs"))
import dump_codec
from profile_check import score

FORMS = "naive", "profiled"
SHOWN = 10
TOO_LONG = 3 # exit status
SUMS = ("chunks", "bytes", "elements", "reads", "writes", "bytes_accessed",
        "live_chunks", "live_bytes")
# The others compare times.
INFERENCES = ("unused", "write_only", "read_only", "low_coverage",
              "multithread", "freed_elsewhere", "never_freed", "zero_size")
TOTALS = ("allocations", "frees", "failed_requests", "failed_bytes",
          "invalid_frees", "threads", "live_bytes_at_end")
OF_CHUNK = "size", "lo", "hi", "reads", "writes", "thread", "free_thread"
# Moved elements are told by what was accessed in one period of the clock.
# Whether a pointer is left in a register or on the stack is up to the code.
FLAGS_OF_CHANCE = {"EXACT", "AGED", "GROWN", "LOST", "REFERRED"}

Profile = collections.namedtuple("Profile", "output process points")


class Point:
    """All that has one key: a line differs where the code generator made two
    equal calls one, so that points are told apart by functions alone."""

    def __init__(self):
        self.sums = collections.Counter()
        self.chunks = []

    def differences(self, other):
        for name, one in self.sums.items():
            if one != other.sums[name]:
                yield f"{name}: naive {one}, profiled {other.sums[name]}"
        for i, both in enumerate(zip(self.chunks, other.chunks)):
            if both[0] != both[1]:
                yield f"chunk {i} of {len(self.chunks)}:"
                for form, chunk in zip(FORMS, both):
                    values = zip(OF_CHUNK + ("flags",), chunk)
                    yield f"  {form:8} " + ", ".join(
                        f"{name} {value}" for name, value in values)
                return


def run(args, form):
    """In an empty directory of its own, which has the same name each time."""
    directory, dumps = [os.path.join(args.directory, name)
                        for name in ("run", f"{form}.dump")]
    for path in (directory, dumps):
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
    options = f"dump_dir='{dumps}':chunk_log=all"
    if args.samples:
        options += ":sample_every=1"
    with open(args.input or os.devnull, "rb") as stdin:
        result = subprocess.run(
            ["../program", *args.arguments], cwd=directory, stdin=stdin,
            executable=os.path.join(args.directory, form),
            timeout=args.seconds,
            env={"PATH": os.environ["PATH"], "HEAPPROF_OPTIONS": options},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    name, = os.listdir(dumps)
    path = os.path.join(dumps, name)
    document = score(args.score, path, ["--limit", "0"])
    process, = document.processes
    # What a test's plugin makes of itself, to allocate there, has no lines.
    warnings = [text for text in document.warnings
                if not (args.samples and ": estimates (~) from " in text) and
                " has no debug information: places " not in text]
    if warnings or document.not_shown or not process.complete:
        sys.exit(f"{path}: not whole: {warnings}, {process}")
    output = result.returncode, result.stdout, result.stderr
    return Profile(output, {name: process[name] for name in TOTALS},
                   points_of(path, document))


def sure_line(frame):
    """A near line depends on the order of the code."""
    return None if frame.get("line_is_near") else frame["line"]


def points_of(path, document):
    points, by_id = collections.defaultdict(Point), {}
    for one in document.points:
        key = (one.type, one.type_provenance, one.element_size,
               one.counts_saturated,
               *(f"{frame['function']}:{sure_line(frame)}" for frame in one.stack))
        point = by_id[one.id] = points[key]
        for name in SUMS:
            point.sums[name] += one[name] or 0 # elements may be unknown
        for name in INFERENCES:
            point.sums["chunks " + name] += one.inferences[name]["chunks"]
            point.sums["bytes " + name] += one.inferences[name]["bytes"]
    chunks = dump_codec.read(path).chunks
    for chunk in sorted(chunks, key=lambda chunk: (chunk.thread, chunk.t0)):
        by_id[chunk.point].chunks.append(
            (*(chunk[name] for name in OF_CHUNK),
             " ".join(sorted(chunk.flags - FLAGS_OF_CHANCE))))
    return points


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("score")
    parser.add_argument("directory", type=os.path.abspath)
    parser.add_argument("--input")
    parser.add_argument("--samples", action="store_true")
    parser.add_argument("--seconds", type=float, default=120)
    border = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:border])
    args.arguments = sys.argv[border + 1:]

    try:
        naive = run(args, FORMS[0])
    except subprocess.TimeoutExpired:
        print(f"{FORMS[0]} does not end within {args.seconds:g} s")
        return TOO_LONG
    try:
        profiled = run(args, FORMS[1])
    except subprocess.TimeoutExpired:
        sys.exit(f"{FORMS[1]} does not end within {args.seconds:g} s")
    if naive.output != profiled.output:
        sys.exit(f"output differs:\n{naive.output}\n{profiled.output}")
    differences = 0
    if naive.process != profiled.process:
        differences += 1
        print(f"totals differ:\n  {naive.process}\n  {profiled.process}")
    for key in sorted({*naive.points, *profiled.points}, key=str):
        found = [profile.points.get(key) for profile in (naive, profiled)]
        if None in found:
            lines = [f"not in {FORMS[found.index(None)]}"]
        else:
            lines = list(found[0].differences(found[1]))
        differences += bool(lines)
        if lines and differences <= SHOWN:
            print("differs:", " < ".join(str(part) for part in key))
            print("".join(f"  {line}\n" for line in lines), end="")
    sums = collections.Counter()
    for point in naive.points.values():
        sums += point.sums
    print(f"{len(naive.points)} points, {sums['chunks']} chunks, "
          f"{sums['reads']} reads, {sums['writes']} writes, "
          f"{differences} differ")
    return differences != 0


if __name__ == "__main__":
    sys.exit(main())
