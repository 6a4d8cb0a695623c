"""type_share.py SCORE DUMP TABLE - how much of what a program allocates has a type, and why the rest has none that counts.
Counted is any type but bytes, integers and characters; each site of the rest is explained by a row of TABLE, else this fails.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

TABLE has a line `least CHUNKS% BYTES%`, a line `wrappers FUNCTION...` for functions that
are no sites, and rows `TYPE | FUNCTION | why`, in which * stands for any text.

What a container of the C++ library holds is the program's: its nodes, elements, and the text of a std::string, too,
whether a constructor was inlined or one of the hooked library's functions made it. To leave texts out and nodes in would
say a greater share than the program has. Their site is `std::string`, since any function may have one.
"""
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys

PLAIN = re.compile(r"(un)?signed (char|int|long( long)?|short)|char|int|long( long)?|short"
                   r"|_?[Bb]ool|wchar_t|char(8|16|32)_t|std::byte")


def read_table(path):
    rows, wrappers, least = [], [], None
    with open(path, encoding="utf-8") as table:
        for line in table:
            line = line.strip()
            if line.startswith("least "):
                least = [float(word.rstrip("%")) for word in line.split()[1:]]
            elif line.startswith("wrappers "):
                wrappers += line.split()[1:]
            elif line and not line.startswith("#"):
                rows.append(tuple(part.strip() for part in line.split(" | ")))
    return rows, wrappers, least


def is_library(frame):
    return (frame["module"] or "").startswith(("/lib", "/usr/"))


def site(point, wrappers):
    """The function that is no wrapper; templates of the system's headers are none of the program's."""
    for frame in point["stack"]:
        name, path = frame["function"] or "?", frame["file"] or ""
        if os.path.basename(path) in ("basic_string.h", "basic_string.tcc"):
            return "std::string"
        if name in wrappers or path.startswith("/usr/"):
            continue
        name = name.replace("(anonymous namespace)::", "")
        return re.sub(r"\(.*|\[abi:\w+\]", "", name)
    return "?"


def main():
    score, dump, table = sys.argv[1:4]
    rows, wrappers, least = read_table(table)
    document = json.loads(subprocess.run([score, "--json", "--limit", "0", dump], check=True,
                                         stdout=subprocess.PIPE).stdout)
    total, counted = [0, 0], [0, 0]
    explained, unexplained = collections.OrderedDict((r, [0, 0]) for r in rows), {}
    for point in document["points"]:
        # What the C and C++ libraries allocate is not the program's.
        if not point["stack"] or is_library(point["stack"][0]):
            continue
        amount = point["chunks"], point["bytes"]
        name, where = point["type"] or "-", site(point, wrappers)
        sums = [total]
        if point["type"] and not PLAIN.fullmatch(point["type"]):
            sums.append(counted)
        else:
            row = next((r for r in rows if fnmatch.fnmatchcase(name, r[0]) and
                        fnmatch.fnmatchcase(where, r[1])), None)
            sums.append(explained[row] if row else unexplained.setdefault((name, where), [0, 0]))
        for each in sums:
            each[0] += amount[0]
            each[1] += amount[1]
    shares = [100 * part / whole for part, whole in zip(counted, total)]
    print("%d chunks, %d bytes; typed %.1f %% and %.1f %%; the rest:" % (*total, *shares))
    for (name, where, why), (chunks, size) in explained.items():
        print("%7d %9d  %-13s  %s: %s" % (chunks, size, name, where, why))
    for (name, where), (chunks, size) in unexplained.items():
        print("%7d %9d  %-13s  %s: not explained" % (chunks, size, name, where))
    stale = [row for row, amount in explained.items() if not amount[0]]
    if unexplained or stale or any(share < bound for share, bound in zip(shares, least)):
        sys.exit("%s: less typed than %s %%, sites without a row, or rows without a chunk" %
                 (table, least))


main()
