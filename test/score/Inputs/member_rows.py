# member_rows.py SCORE.json DATABASE - the table members has the rows of the JSON document.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sqlite3
import sys

document = json.load(open(sys.argv[1], encoding="utf-8"))
database = sqlite3.connect(sys.argv[2])
database.row_factory = sqlite3.Row
rows = [dict(row) for row in database.execute("SELECT * FROM members ORDER BY rowid")]
wanted = [m for m in document["members"] if m["chunks_counted"]]
assert rows and len(rows) == len(wanted), (len(rows), len(wanted))
for row, m in zip(rows, wanted):
    for name, value in row.items():
        found = bool(value) if name == "overlaps" else value
        assert found == m[name] or abs(found - m[name]) < 1e-6, (name, found, m)
