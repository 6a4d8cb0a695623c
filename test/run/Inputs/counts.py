"""counts.py - the accesses that a table of points has of functions, each line one function.
heapprof-score --csv --limit 0 DUMP | counts.py FUNCTION...
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import csv
import sys

rows = list(csv.DictReader(sys.stdin))
for name in sys.argv[1:]:
    own = [row for row in rows if row["function"].split("(")[0] == name]
    total = lambda key: sum(int(row[key] or 0) for row in own)
    print("%s: %d reads, %d writes, %d bytes accessed" % (name, total("reads"), total("writes"), total("bytes_accessed")))
