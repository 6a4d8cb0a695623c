"""csv_row.py - prints the named columns of the one row of a table with a header.
heapprof-score --csv DUMP | csv_row.py COLUMN...
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import csv
import sys

row, = csv.DictReader(sys.stdin)
print(" ".join("%s=%s" % (name, row[name]) for name in sys.argv[1:]))
