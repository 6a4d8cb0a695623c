#!/usr/bin/env python3
# compare_dhat.py - Valgrind's DHAT as independent judge of heapprof: compares per call stack.
# Every difference is printed; one that the file of explanations does not name fails, and so does
# an explanation of nothing.  SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what DHAT and heapprof measured of the same program.

DHAT's side:      valgrind --tool=dhat --mode=heap --num-callers=250
                  on a plain build with -gdwarf-4 (Valgrind 3.19 reads no newer)
heapprof's side:  heapprof-score --json of the same source and flags, built
                  with -fsanitize=heapprof

A stack is the frames of the main executable from the allocation's caller to
main, as "function (file:line)".  Compared for each stack: blocks, bytes, never
read, never written; with --width=N (every access of the program has N bytes)
also the bytes read and written.

An explanation is a line as this script prints it, "*" standing for anything,
below at least one comment line that gives the reason:

    # DHAT lets a block that realloc grew stay where it was allocated.
    blocks dhat=2 heapprof=1: main (reallocs.c:12)

Exit status: 0 all the same or explained, 1 not, 2 wrong usage, 3 bad input.
"""
import argparse
import json
import re
import sys

# Valgrind loads executables below its first shared object, ld.so, at this
# address; so an address tells which frames are the program's own.
FIRST_LIBRARY = 0x4000000

# Frames the profiler puts between the program and libc.
OWN_FRAME = re.compile(r"^(__heapprof_|hp_|_*interceptor_|__sanitizer|"
                       r"__interception)")

DHAT_FRAME = re.compile(r"^(0x[0-9A-Fa-f]+): (.*) \(([^()]*)\)$")

FIELDS = ("blocks", "bytes", "never-read", "never-written", "bytes-read",
          "bytes-written")


class BadInput(Exception):
    pass


def load(path):
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput("%s: %s" % (path, error)) from error


def basename(path):
    return path.rsplit("/", 1)[-1]


def cut_at_main(frames):
    """Frames leaf first as (function, text), up to main if it is there."""
    kept = []
    for function, text in frames:
        kept.append(text)
        if function == "main":
            break
    return " < ".join(kept) if kept else "(outside the program)"


class Stack:
    """Totals of all points of one stack."""

    def __init__(self):
        self.blocks = self.bytes = self.read = self.written = 0

    def add(self, blocks, size, read, written):
        self.blocks += blocks
        self.bytes += size
        self.read += read
        self.written += written


def dhat_frame(text):
    """(function, "function (file:line)"), or None outside the program."""
    match = DHAT_FRAME.match(text)
    if not match:
        raise BadInput("DHAT frame is not understood: " + text)
    address, function, place = match.groups()
    if int(address, 16) >= FIRST_LIBRARY:
        return None
    # A path is there if the source lies below the directory it was compiled in.
    place = "?" if place.startswith("in ") else basename(place)
    return function, "%s (%s)" % (function, place)


def read_dhat(path):
    document = load(path)
    if document.get("dhatFileVersion") != 2 or document.get("mode") != "heap":
        raise BadInput(path + ": not DHAT's output of version 2, mode heap")
    table = [None] + [dhat_frame(text) for text in document["ftbl"][1:]]
    stacks = {}
    for point in document["pps"]:
        frames = [table[i] for i in point["fs"] if table[i]]
        stacks.setdefault(cut_at_main(frames), Stack()).add(
            point["tbk"], point["tb"], point["rb"], point["wb"])
    return stacks


def heapprof_frame(frame, program):
    if frame["module"] is None or basename(frame["module"]) != program:
        return None
    function = frame["function"] or "???"
    if OWN_FRAME.match(function):
        return None
    place = "?"
    if frame["file"]:
        place = "%s:%d" % (basename(frame["file"]), frame["line"] or 0)
    return function, "%s (%s)" % (function, place)


def read_heapprof(path, width):
    document = load(path)
    if document.get("schema") != "heapprof.score/1":
        raise BadInput(path + ": not the output of heapprof-score --json")
    if len(document["processes"]) != 1:
        raise BadInput(path + ": more than one process")
    program = basename(document["processes"][0]["program"])
    stacks = {}
    for point in document["points"]:
        frames = [heapprof_frame(frame, program) for frame in point["stack"]]
        stacks.setdefault(cut_at_main([f for f in frames if f]), Stack()).add(
            point["chunks"], point["bytes"], point["reads"] * width,
            point["writes"] * width)
    return stacks


def values(stack, with_bytes):
    """What is compared, in the order of FIELDS."""
    found = [stack.blocks, stack.bytes,
             "no" if stack.read else "yes",
             "no" if stack.written else "yes"]
    if with_bytes:
        found += [stack.read, stack.written]
    return found


def differences(dhat, heapprof, with_bytes):
    lines = []
    for key in sorted(dhat.keys() | heapprof.keys()):
        if key not in heapprof:
            lines.append("missing dhat=%d heapprof=0: %s"
                         % (dhat[key].blocks, key))
        elif key not in dhat:
            lines.append("missing dhat=0 heapprof=%d: %s"
                         % (heapprof[key].blocks, key))
        else:
            for field, a, b in zip(FIELDS, values(dhat[key], with_bytes),
                                   values(heapprof[key], with_bytes)):
                if a != b:
                    lines.append("%s dhat=%s heapprof=%s: %s"
                                 % (field, a, b, key))
    return lines


class Explanation:
    def __init__(self, line, number):
        self.line = line
        self.number = number
        self.used = 0
        self.pattern = re.compile(
            ".*".join(re.escape(part) for part in line.split("*")))


def read_explanations(path):
    found = []
    reason = False
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise BadInput("%s: %s" % (path, error)) from error
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if line.startswith("#"):
            reason = True
        elif not line:
            reason = False
        elif not reason:
            raise BadInput("%s:%d: explanation without a reason; put a "
                           "comment above it" % (path, number))
        else:
            found.append(Explanation(line, number))
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--dhat", required=True, help="DHAT's output")
    parser.add_argument("--score", required=True,
                        help="output of heapprof-score --json")
    parser.add_argument("--width", type=int, default=0,
                        help="bytes of every access of the program")
    parser.add_argument("--explained", help="file of explanations")
    options = parser.parse_args()
    dhat = read_dhat(options.dhat)
    heapprof = read_heapprof(options.score, options.width or 1)
    explanations = (read_explanations(options.explained)
                    if options.explained else [])

    failed = explained = 0
    for line in differences(dhat, heapprof, options.width != 0):
        matching = [e for e in explanations if e.pattern.fullmatch(line)]
        for explanation in matching:
            explanation.used += 1
        if matching:
            explained += 1
        else:
            failed += 1
        print(("explained: " if matching else "DIFFERENT: ") + line)
    for explanation in explanations:
        if not explanation.used:
            failed += 1
            print("%s:%d: explains nothing any more: %s"
                  % (options.explained, explanation.number, explanation.line))
    print("%d stacks, %d blocks, %d bytes; %d differences explained, %d not"
          % (len(dhat), sum(s.blocks for s in dhat.values()),
             sum(s.bytes for s in dhat.values()), explained, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BadInput as error:
        print("compare_dhat.py: %s" % error, file=sys.stderr)
        sys.exit(3)
    except KeyError as error:
        print("compare_dhat.py: the input lacks the key %s" % error,
              file=sys.stderr)
        sys.exit(3)
