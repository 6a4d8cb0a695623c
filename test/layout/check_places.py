#!/usr/bin/env python3
"""check_places.py ROOT: what docs/contributing.md says under "Where does it go" is so.
Each place it names is there and holds what is said; a newcomer finds each by the name of its folder.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A row of the table: what is added; the place, `file` or `file`: `text in it`; then
further places, several of them with a ; between.  The folder of the first place
bears the name of what is added.
"""
import os
import re
import sys

HEADING = "## Where does it go"
PLACE = re.compile(r"`([^`]+)`(?:: ((?:`[^`]+`(?:, )?)+))?$")


def rows_of(page):
    """The table's rows below its head, each a list of cells."""
    section = page.split(HEADING + "\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines[1:]]


def faults_of(root, row):
    """What does not hold of a row."""
    what, cells = row[0], row[1:]
    folder = None
    for place in (p.strip() for cell in cells for p in cell.split("; ")):
        match = PLACE.match(place)
        if not match:
            yield f"{what}: not a place: {place}"
            continue
        path, texts = match[1], re.findall(r"`([^`]+)`", match[2] or "")
        folder = folder or os.path.basename(os.path.dirname(path))
        if not os.path.isfile(os.path.join(root, path)):
            yield f"{what}: {path} is not there"
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            contents = file.read()
        for text in texts:
            if text.replace("\\|", "|") not in contents:
                yield f"{what}: {path} does not hold {text}"
    # As format/ of the dump's format: the folder's name is a word of what is added.
    words = [word.rstrip("s") for word in re.findall(r"\w+", what.lower())]
    if not any(word.startswith((folder or "").rstrip("s")) for word in words):
        yield f"{what}: the folder {folder} is not named so"


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "docs/contributing.md"), encoding="utf-8") as file:
        rows = rows_of(file.read())
    faults = [fault for row in rows for fault in faults_of(root, row)]
    if len(rows) != 6:
        faults.append(f"{len(rows)} rows, not 6")
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
