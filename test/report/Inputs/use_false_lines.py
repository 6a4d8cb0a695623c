# use_false_lines.py PAGE SCORE.json [none] - false sharing in an opened record, against what heapprof-score --by member says: the note, and the writes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys

from page_check import check, state_of
from webdriver import Browser

score = json.load(open(sys.argv[2], encoding="utf-8"))
(record,) = [t for t in score["member_types"] if t["type"] == "stats"]
members = [m for m in score["members"] if m["type"] == "stats" and m["kind"] != "hole"]
browser = Browser()

ROWS = """return [...document.querySelectorAll('table.members tbody tr:not(.hole)')].map((row) =>
  [row.cells[2].textContent, row.cells[5].textContent, row.cells[5].title])"""


def count(number):
    return f"{number:,}".replace(",", "\u202f")


def plain(text):
    return text.replace("\u202f", "").replace("\u00a0", "")


def note(line):
    parts = ", ".join(f"{part['name']} (thread {part['thread']}, {part['writes']} writes)" for part in line["parts"])
    return f"False sharing in the line at {line['offset']}: {parts} in turns, {line['turns']} times another thread in "


try:
    browser.open("file://" + os.path.abspath(sys.argv[1]) + "#view=types&record=stats")
    notes = [plain(text) for text in browser.texts("section.record p.note") if text.startswith("False sharing")]
    check("false lines", "none" not in sys.argv[3:], bool(record["false_lines"]))
    check("a note for each line", len(record["false_lines"]), len(notes))
    for line, text in zip(record["false_lines"], notes):
        check("the note", True, text.startswith(note(line)))
        check("the members", {"hits", "misses"}, {part["name"] for part in line["parts"]})
    rows = browser.run(ROWS)
    check("members", [m["member"] for m in members], [row[0] for row in rows])
    for m, (name, writes, title) in zip(members, rows):
        check(f"writes of {name}", f"{m['writes']}{' !' if m['side_writes'] else ''}", plain(writes))
        check(f"which are falsely shared of {name}", f"{m['side_writes']} of them falsely shared" if m["side_writes"] else "", plain(title))
    browser.run("document.querySelector('section.record a').click()")
    check("closed", None, state_of(browser).get("record"))
finally:
    browser.close()
