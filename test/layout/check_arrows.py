#!/usr/bin/env python3
"""check_arrows.py ROOT [BUILD]: within a code folder all arrows point down, and none runs in a circle.
A wing is a folder. It includes, and with BUILD calls, itself and the wings named before it; its files form no circle.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A call is a symbol that one built object leaves undefined and another one
defines.  A source and its header are one file here.  Prints a line for each
arrow up and each circle, and exits 1 if there is any.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

# From the ground up.  What lies in a code folder itself is above its wings.
WINGS = {
    "runtime": ("allocator_meter", "system", "options", "heap", "encode", "unwind", "origin", "thread",
                "chunk", "leak", "profile", "dump", "process", "entry",
                "entry/interceptors"),
    "visualizer-data": ("base", "text", "read", "measure", "resolve",
                        "profile", "query", "finding", "export", "merge",
                        "report"),
    "llvm-pass": ("base", "access", "types", "filter", "merge", "emit",
                  "ast"),
}
# Whoever is on either side of a contract may include it.
CONTRACTS = ("runtime/hook_abi.h", "runtime/include/",
             "visualizer-data/include/", "visualizer-data/format/")
SOURCE = (".c", ".cpp", ".h", ".def")

# One file needs another: what for, said as "includes" or "calls NAME of".
Arrow = collections.namedtuple("Arrow", "source target reason")


def rank_of(path):
    """A wing's number from the ground up; None outside the code folders."""
    folder, _, rest = path.partition("/")
    if folder not in WINGS or path.startswith(CONTRACTS):
        return None
    wings = WINGS[folder]
    wing = os.path.dirname(rest)
    return wings.index(wing) if wing in wings else len(wings)


def file_of(path):
    return os.path.splitext(path)[0]


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True,
                         capture_output=True).stdout.decode()
    return [path for path in out.split("\0")
            if path.split("/")[0] in WINGS and path.endswith(SOURCE) and
            os.path.isfile(os.path.join(root, path))]


def strangers(files):
    """A wing that the table does not name would be above all others."""
    for path in files:
        folder, _, rest = path.partition("/")
        wing = os.path.dirname(rest)
        if wing and wing not in WINGS[folder] and not path.startswith(
                CONTRACTS + ("runtime/standard_library/",)):
            yield f"{path}: its wing is not in the table of {__file__}"


def included(root, files):
    known = set(files)
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            names = re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(),
                               re.M)
        for name in names:
            target = path.split("/")[0] + "/" + name
            if target in known:
                yield Arrow(path, target, "includes")


def objects(build, source):
    """CMake names an object by its target and its source's path."""
    folder, rest = source.split("/", 1)
    below = os.path.join(build, folder, "CMakeFiles")
    for target in sorted(os.listdir(below)) if os.path.isdir(below) else ():
        path = os.path.join(below, target, rest + ".o")
        if os.path.exists(path):
            yield path


def called(build, files):
    source_of = {path: source for source in files
                 if source.endswith((".c", ".cpp"))
                 for path in objects(build, source)}
    if not source_of:
        sys.exit(f"{build}: holds no object of ours; build first")
    out = subprocess.run(["nm", "-A", "-g", "--format=posix", *source_of],
                         check=True, capture_output=True).stdout.decode()
    defined, wanted = {}, []
    for line in out.splitlines():
        path, _, symbol = line.partition(": ")
        name, kind = symbol.split()[:2]
        source = source_of[path]
        if kind in "Uwv":
            wanted.append((source, name))
        elif kind not in "WV":
            defined[source.split("/")[0], name] = source
    for source, name in wanted:
        target = defined.get((source.split("/")[0], name))
        if target:
            yield Arrow(source, target, f"calls {name} of")


def circles(arrows):
    """Sets of files of one wing that reach each other (Tarjan's algorithm)."""
    edges = collections.defaultdict(set)
    for arrow in arrows:
        source, target = file_of(arrow.source), file_of(arrow.target)
        if source != target and os.path.dirname(source) == os.path.dirname(
                target):
            edges[source].add(target)
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for target in sorted(edges[file]):
            if target not in index:
                visit(target)
                low[file] = min(low[file], low[target])
            elif target in stack:
                low[file] = min(low[file], index[target])
        if low[file] == index[file]:
            circle = set()
            while file not in circle:
                circle.add(stack.pop())
            if len(circle) > 1:
                found.append(circle)

    for file in sorted(edges):
        if file not in index:
            visit(file)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("root")
    parser.add_argument("build", nargs="?")
    args = parser.parse_args()
    files = tracked(args.root)
    arrows = [*included(args.root, files)]
    if args.build:
        arrows += called(args.build, files)

    faults = {*strangers(files)}
    for arrow in arrows:
        ranks = rank_of(arrow.source), rank_of(arrow.target)
        if None not in ranks and ranks[0] < ranks[1]:
            faults.add(f"{arrow.source}: {arrow.reason} {arrow.target}, "
                       "which lies above it")
    faults.update("a circle: " + " ".join(sorted(circle))
                  for circle in circles(arrows))
    for fault in sorted(faults):
        print(fault)
    if not faults:
        print(f"{len({(file_of(a.source), file_of(a.target)) for a in arrows})}"
              " arrows, none of them up, no circle")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
