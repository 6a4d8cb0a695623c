"""hooked_functions.py - names the functions of a module that its dump says have hooks, one a line.
hooked_functions.py DUMP MODULE: the module whose path ends so; "none" if no function has any.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "edge", "Inputs"))
import dump_codec


def symbols(path):
    """The functions of an ELF file by address."""
    listing = subprocess.run(["nm", path], stdout=subprocess.PIPE, check=True,
                             universal_newlines=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    return {int(row[0], 16): row[2] for row in rows
            if len(row) == 3 and row[1] in "tTwW"}


def main():
    dump, = glob.glob(os.path.join(sys.argv[1], "heapprof.*"))
    modules = dump_codec.read_records(os.path.join(dump, "modules"), "MODULES")
    module, = [m for m in modules if m.path.endswith(sys.argv[2])]
    names = symbols(module.path)
    ranges = module.get("hooked", [])
    at, found = module.start - module.bias, []
    for gap, size in zip(ranges[::2], ranges[1::2]):
        at += gap
        # Functions that follow each other without a gap are one range.
        found += [name for address, name in sorted(names.items())
                  if at <= address < at + size]
        at += size
    print("\n".join(name for name in found
                    if not name.startswith("heapprof.")) or "none")


sys.dont_write_bytecode = True
main()
