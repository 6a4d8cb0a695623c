# widest.py LIMIT - fails if a line of standard input takes more than LIMIT columns.
# East Asian wide characters take two.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
import unicodedata

limit = int(sys.argv[1])
for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
    if width > limit:
        sys.exit(f"{width} columns: {line}")
