"""road.py TRACE README FUNCTION: the files whose code FUNCTION executed are those of its walk in README.
TRACE is llvm-symbolizer's JSON of the executed addresses; what README calls words is passed over.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import os
import re
import sys


def executed(trace):
    """A source and its header are one file here."""
    with open(trace, encoding="utf-8") as file:
        names = {symbol["FileName"] for line in file
                 for symbol in json.loads(line).get("Symbol", ())}
    found = {re.sub(r".*/runtime/", "", name) for name in names
             if "/runtime/" in name}
    return {os.path.splitext(name)[0] for name in found}


def listed(readme, function):
    rows = re.findall(r"^\| ([\w, ]+) \| `([\w/.]+)` \|", readme, re.M)
    words = re.search(r"^Words on the way: (.*?)\n\n", readme, re.M | re.S)
    return ([os.path.splitext(path)[0] for walks, path in rows
             if function in walks.split(", ")],
            {os.path.splitext(path)[0]
             for path in re.findall(r"`([\w/.]+)`", words[1] if words else "")})


def main():
    trace, readme, function = sys.argv[1:]
    with open(readme, encoding="utf-8") as file:
        walk, words = listed(file.read(), function)
    files = executed(trace)
    if not files:
        sys.exit(f"{trace}: names no file of the runtime")
    faults = [f"{name}: {function} comes there, and {readme} does not say so"
              for name in sorted(files - {*walk} - words)]
    faults += [f"{name}: {function} does not come there, as {readme} says"
               for name in walk if name not in files]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{function}: {len(walk)} files, and {len(files & words)} words")


main()
