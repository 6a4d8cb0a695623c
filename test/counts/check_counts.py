#!/usr/bin/env python3
"""check_counts.py SOURCE SCORE.json: do the counts equal those in SOURCE's comments?

SOURCE says before the line of an allocation what its point must show, in
products and sums of integers:

    // POINT chunks=1 bytes=4*10 reads=10 writes=10 accessed=40
    int *p = malloc(4 * 10);

A point of the profile belongs to the innermost line of its stack that has such
a comment; points of one line are added up.  `in=FUNCTION` takes only the points
with FUNCTION in their stack, so that a line can have several comments.

    // TOTAL chunks=...   over all points with a line of SOURCE in their stack
    // OTHER chunks=...   over the others (of libc and the like)
    // PROCESS failed_requests=...   members of "processes" that are numbers

A point with a line of SOURCE in its stack but no comment is an error, unless
libc allocated it for itself.  Exits 1 and says each difference in a line; there
is no tolerance.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import os
import re
import sys

# Where the document has what a key names, summed over points.
PLACES = {
    "chunks": ("chunks",),
    "bytes": ("bytes",),
    "reads": ("reads",),
    "writes": ("writes",),
    "accessed": ("bytes_accessed",),
    "live": ("live_chunks",),
    "live_bytes": ("live_bytes",),
    "peak": ("peak_bytes",),
    "multithread": ("threads", "multithread_chunks"),
    "elsewhere": ("threads", "freed_elsewhere"),
}
KINDS = ("POINT", "TOTAL", "OTHER", "PROCESS")
REQUIRED = ("chunks", "bytes", "reads", "writes", "accessed")
TERM = re.compile(r"(\w+)=(\S+)$")
NUMBER = re.compile(r"[0-9+*()-]+$")


class Expectation:
    """One POINT, TOTAL, ...: what it says and what was found."""

    def __init__(self, kind, line, words):
        self.kind, self.line, self.within = kind, line, None
        self.expected, self.found, self.points = {}, {}, 0
        for word in words:
            term = TERM.match(word)
            if not term:
                break  # words after the terms explain them
            key, value = term.groups()
            if key == "in":
                self.within = value
            elif NUMBER.match(value):
                self.expected[key] = eval(value)  # digits, + - * ( ) only
            else:
                sys.exit(f"{line}: {key}={value}: not a number")
        self.found = dict.fromkeys(self.expected, 0)
        if kind == "POINT":
            for key in REQUIRED:
                if key not in self.expected:
                    sys.exit(f"{line}: POINT does not say {key}=")

    def name(self):
        within = f" in={self.within}" if self.within else ""
        return f"line {self.line}: {self.kind}{within}"

    def takes(self, point):
        return not self.within or any(
            function_name(frame) == self.within for frame in point["stack"])

    def add(self, point):
        self.points += 1
        for key in self.found:
            self.found[key] += value_of(point, key)

    def differences(self):
        for key, value in self.expected.items():
            if self.found[key] != value:
                yield f"{self.name()}: {key} is {self.found[key]}, not {value}"


def function_name(frame):
    """The function of a frame, without what C++ puts around its name."""
    name = frame["function"] or ""
    return re.sub(r"\(.*", "", name).split(" ")[-1].split("::")[-1]


def value_of(point, key):
    if key == "points":
        return 1
    if key in PLACES:
        value = point
        for step in PLACES[key]:
            value = value[step]
        return value
    if key in point["inferences"]:
        return point["inferences"][key]["chunks"]
    sys.exit(f"no such key: {key}")


def read_expectations(path):
    """The expectations of the source, and for each line those of that line."""
    everywhere, of_line, pending, comment = [], {}, [], []
    with open(path) as source:
        for number, text in enumerate(source, 1):
            stripped = text.strip()
            if stripped.startswith("//"):
                comment.append((number, stripped[2:].split()))
                continue
            for line, words in comment:
                for word in words:
                    if word in KINDS:
                        pending.append((word, line, []))
                    elif pending:
                        pending[-1][2].append(word)
            comment = []
            for kind, line, words in pending:
                expectation = Expectation(kind, line, words)
                everywhere.append(expectation)
                if kind == "POINT":
                    of_line.setdefault(number, []).append(expectation)
            pending = []
    return everywhere, of_line


def is_in(frame, source):
    return frame is not None and frame["file"] is not None and \
        os.path.basename(frame["file"]) == os.path.basename(source)


def is_of_libc(point):
    module = os.path.basename(point["stack"][0]["module"] or "")
    return module.startswith(("libc.so", "libc-", "ld-linux", "libpthread"))


def place_of(frame):
    return f"{os.path.basename(frame['file'])}:{frame['line']}"


def check(source, document):
    everywhere, of_line = read_expectations(source)
    if not everywhere:
        yield "the source says nothing to compare with"
    for point in document["points"]:
        own = [frame for frame in point["stack"]
               if is_in(frame, source) and not is_of_libc(point)]
        for expectation in everywhere:
            if expectation.kind == ("TOTAL" if own else "OTHER"):
                expectation.add(point)
        if not own:
            continue
        if is_in(point["stack"][0], source):
            site = point["site"]
            if not is_in(site, source) or place_of(site) != place_of(own[0]):
                yield f"site {site} is not {place_of(own[0])}"
        line = next((f["line"] for f in own if f["line"] in of_line), None)
        takers = [e for e in of_line.get(line, ()) if e.takes(point)]
        if len(takers) == 1:
            takers[0].add(point)
        else:
            yield (f"{place_of(own[0])}: {point['chunks']} chunks belong to "
                   f"{len(takers)} POINT comments")
    for expectation in everywhere:
        if expectation.kind == "PROCESS":
            for key in expectation.found:
                expectation.found[key] = sum(
                    process[key] for process in document["processes"])
        yield from expectation.differences()
    allocations = sum(p["allocations"] for p in document["processes"])
    chunks = sum(point["chunks"] for point in document["points"])
    if allocations != chunks:
        yield f"{allocations} allocations, but {chunks} chunks in the points"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2]) as score:
        document = json.load(score)
    differences = list(check(sys.argv[1], document))
    for difference in differences:
        print(f"{os.path.basename(sys.argv[1])}: {difference}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
