# use_members.py PAGE SCORE.json - a record opened in the view Types against what heapprof-score --by member says of the same dump.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys

from page_check import check, state_of
from webdriver import Browser

page = sys.argv[1]
score = json.load(open(sys.argv[2], encoding="utf-8"))
members = [m for m in score["members"] if m["type"] == "node"]
browser = Browser()

ROWS = "return [...document.querySelectorAll('table.members tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))"
PARTS = """return [...document.querySelectorAll('.cache-line')].map((line) => [...line.querySelectorAll('.byte-range')].map((part) => {
  const box = part.getBoundingClientRect();
  return [part.dataset.member, Number(part.dataset.heat), box.left, box.width, part.classList.contains('hole'),
    getComputedStyle(part).backgroundImage, getComputedStyle(part).backgroundColor, box.top];
}))"""


def name_of(member):
    return "padding" if member["kind"] == "hole" else member["member"]


def count(text):
    return int(text.replace("\u202f", ""))


try:
    url = "file://" + os.path.abspath(page)
    browser.open(url + "#view=types")
    check("no record at first", [], browser.texts("section.record"))
    check("a record to open", ["members"], browser.texts("a.inside"))
    browser.run("document.querySelector('a.inside').click()")
    check("its address", "node", state_of(browser)["record"])
    check("its name", True, browser.texts("section.record h2")[0].startswith("node: 96 bytes"))
    rows = browser.run(ROWS)
    check("members", [name_of(m) for m in members], [row[2].replace(" ~", "") for row in rows])
    for m, row in zip(members, rows):
        check(f"numbers of {row[2]}", [m["offset"], m["size"], m["reads"], m["writes"], m["chunks"]],
              [count(row[i]) for i in (0, 1, 4, 5, 7)])
    check("lines", [len(m["code"]) for m in members], [row[8].count("members.c:") + row[8].count("walk.h:") for row in rows])
    # walk.h allocates nothing, and so is no file of the view Source.
    lines = browser.run("return [...document.querySelectorAll('table.members .lines li')].map((li) => [li.textContent, li.querySelector('a') !== null])")
    check("lines of walk.h", True, any(text.startswith("walk.h:") for text, _ in lines))
    check("links", [text.startswith("members.c:") for text, _ in lines], [link for _, link in lines])

    lines = browser.run(PARTS)
    check("cache lines", 2, len(lines))
    parts = [part for line in lines for part in line]
    check("parts", sorted(name_of(m) for m in members if m["offset"] < 64), sorted(part[0] for part in lines[0]))
    check("what goes on", True, "name" in [part[0] for part in lines[1]])
    heat = {part[0]: part[1] for part in parts}
    check("hottest", True, heat["key"] > heat["last"] > heat["name"] == 0)
    check("shades", len({heat["key"], heat["last"], heat["name"]}),
          len({part[6] for part in parts if part[0] in ("key", "last", "name")}))
    check("holes", True, all(part[4] == ("gradient" in part[5]) == (part[0] == "padding") for part in parts))
    byte = lines[0][0][3] / 8 # of a pointer
    widths = {part[0]: part[3] for part in lines[0]}
    check("widths", True, abs(widths["key"] - 4 * byte) < 1 and abs(widths["real"] - 8 * byte) < 1)
    check("alternatives below each other", True,
          len({part[7] for part in lines[0] if part[0] in ("real", "number")}) == 2)
    browser.run("document.querySelector('table.members a').click()")
    check("a line of code", "source", state_of(browser)["view"])
    browser.open(url + "#view=types&record=nothing")
    check("no such record", [], browser.texts("section.record"))
finally:
    browser.close()
