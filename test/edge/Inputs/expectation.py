"""expectation.py - checks the EXPECT lines of a test's source against its dump.
Each line is a Python expression over what `heapprof-score --json` says and what the dump's files hold.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import argparse
import json
import os
import re
import sys

import dump_codec
from profile_check import MAX, check_scores, check_totals, score


def near(a, b, tolerance=1e-9):
    return a is not None and abs(a - b) <= tolerance


def dumps_in(directory):
    return sorted(os.path.join(directory, name)
                  for name in os.listdir(directory)
                  if name.startswith("heapprof."))


def choose(directory, which):
    """The dump of the process that is (or is not) the child of another."""
    found = {path: dump_codec.read(path).header for path in dumps_in(directory)}
    pids = {header.pid for header in found.values()}
    chosen = [path for path, header in found.items()
              if which == "any" or
              (header.parent in pids) == (which == "child")]
    if len(chosen) != 1:
        sys.exit("expected one dump (%s) in %s, found %s" %
                 (which, directory, sorted(found)))
    return chosen[0]


def function_of(point):
    return re.sub(r"\(.*", "", (point.site or {}).get("function") or "")


def names(dump, document):
    def points(name):
        return [p for p in document.points if name in (function_of(p), p.id)]

    def point(name):
        found = points(name)
        assert len(found) == 1, "%d points of %s, of %s" % (
            len(found), name, [function_of(p) for p in document.points])
        return found[0]

    def chunks(**values):
        return [c for c in dump.chunks
                if all(c[key] == value for key, value in values.items())]

    def chunk(**values):
        found = chunks(**values)
        assert len(found) == 1, "%d chunks of %s, of %s" % (
            len(found), values, dump.chunks)
        return found[0]

    return {"points": points, "point": point, "chunks": chunks, "chunk": chunk,
            "process": document.processes[0], "total": document["global"],
            "document": document, "end": dump.end, "header": dump.header,
            "near": near, "MAX": MAX, "function_of": function_of}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--score", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--prefix", default="EXPECT")
    parser.add_argument("--process", default="any",
                        choices=["any", "parent", "child"])
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("directory")
    args = parser.parse_args()
    path = choose(args.directory, args.process)
    dump = dump_codec.read(path)
    document = score(args.score, path, args.option)
    wrong = check_totals(dump, document)
    if not args.option:  # of heapprof-score, which change the scores
        wrong += check_scores(dump, document)
    known, count = names(dump, document), 0
    pattern = re.compile(r"\b%s: (.*)" % args.prefix)
    with open(args.source) as source:
        for number, line in enumerate(source, 1):
            match = pattern.search(line)
            if not match:
                continue
            count += 1
            try:
                holds = eval(match[1], known)
                note = "does not hold"
            except Exception as error:  # what a wrong dump makes of it
                holds, note = False, "%s: %s" % (type(error).__name__, error)
            if not holds:
                wrong.append("line %d: %s\n    %s" % (number, match[1], note))
    if not count:
        wrong.append("no %s line" % args.prefix)
    if wrong:
        print("\n".join(wrong))
        print(json.dumps(document, indent=1))
        print("\n".join(str(dict(c)) for c in dump.chunks[:50]))
        print(dict(dump.end))
        sys.exit(1)


main()
