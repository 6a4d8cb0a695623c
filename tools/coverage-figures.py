"""coverage-figures.py SUMMARY ROOT [--files]: which share of lines was run, by wing, by folder and in all.

SUMMARY is what llvm-cov export --summary-only printed.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import collections
import json
import os
import sys

summary, root, *options = sys.argv[1:]
lines = collections.defaultdict(lambda: [0, 0])


def count(name, covered, all_lines):
    lines[name][0] += covered
    lines[name][1] += all_lines


def show(name):
    covered, all_lines = lines[name]
    print(f"{100 * covered / all_lines if all_lines else 100:5.1f} % of {all_lines:6} lines  {name}")


with open(summary) as document:
    files = json.load(document)["data"][0]["files"]
for file in files:
    path = os.path.relpath(file["filename"], root)
    folder = path.split(os.sep)[0]
    if folder not in ("runtime", "visualizer-data", "tools"):
        continue
    of = file["summary"]["lines"]
    for name in [os.path.dirname(path), "all of " + folder, "all"] + ([path] if options else []):
        count(name, of["covered"], of["count"])
for name in sorted(lines, key=lambda n: (n.startswith("all"), n)):
    show(name)
