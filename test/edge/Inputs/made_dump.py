"""made_dump.py SOURCE DIR - makes a dump of the DUMP lines of a test: one point a line, a list of chunks.
A TOTALS line gives fields of the end record; see dump_codec.py for what a chunk is made of.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import os
import re
import shutil
import sys

import dump_codec

source, directory = sys.argv[1:]
points, totals = [], {}
for line in open(source):
    match = re.search(r"\b(DUMP|TOTALS): (.*)", line)
    if match and match[1] == "DUMP":
        points.append(eval(match[2], {"MAX": 2**64 - 1, "c": dict}))
    elif match:
        totals = eval(match[2], {"MAX": 2**64 - 1})
shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)
dump_codec.write(os.path.join(directory, "heapprof.made.1"), points, **totals)
