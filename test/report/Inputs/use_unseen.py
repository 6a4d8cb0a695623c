# use_unseen.py PAGE PAGE-OF-NOTHING PAGE-WITHOUT-SYMBOLS PAGE-WITHOUT-MODULES - what the page says of accesses that were not seen, or not all, and whether it fits a narrow screen.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import sys

from page_check import check
from webdriver import Browser

url = "file://" + os.path.abspath(sys.argv[1])


def rows(browser, table):
    heads = [head.rstrip(" ▲▼") for head in browser.texts(f"{table} thead :is(th, td)")]
    cells = browser.run("return [...document.querySelectorAll(arguments[0])].map((row) => [...row.cells].map((cell) => cell.textContent))",
                        f"{table} tbody tr")
    return [dict(zip(heads, row)) for row in cells]


browser = Browser(width=1400)
try:
    browser.open(url + "#view=types")
    check("touched", {"char": ">0.1 %", "stdio buffer": "?"},
          {row["Type"]: row["Touched"] for row in rows(browser, ".types") if row["Type"] in ("char", "stdio buffer")})
    browser.open(url + "#view=types&filter=point%3D1")
    check("one type", ["1 type"], browser.texts(".types caption"))
    browser.open(url + "#view=points")
    usage = {row["Type"]: (row["Usage"], row["Useful life"][-4:-3] if row["Type"] == "char" else row["Useful life"])
             for row in rows(browser, ".points") if row["Type"] in ("char", "stdio buffer")}
    check("usage of what a child may have accessed", ">0.00", usage["char"][0])
    check("of libc's", ("?", "?"), usage["stdio buffer"])
    check("half of a unit", ["3.12 KiB"], [row["Bytes"] for row in rows(browser, ".points") if row["Type"].startswith("a_name")])
    check("points are wider than their view", False, browser.run(
        "const view = document.querySelector('.scroll'); return view.scrollWidth > view.clientWidth"))
    browser.run("[...document.querySelectorAll('.points tbody tr')].find((row) => row.textContent.includes('stdio buffer')).querySelector('a').click()")
    browser.settle()
    check("scores of libc's", ["?", "?"], browser.texts(".detail .share-number")[1:3])
    browser.open("file://" + os.path.abspath(sys.argv[2]))
    check("nothing", ["✓ No findings: no allocation was recorded."], browser.texts(".good"))
    check("not looked for", ["Lost chunks were not looked for, as the process ended by _exit."], browser.texts(".unsearched"))
    check("headings of nothing", ["What to change", "How well the heap is used"], browser.texts("main h2"))
    browser.open("file://" + os.path.abspath(sys.argv[3]) + "#view=points")
    site = next(row["Site"] for row in rows(browser, ".points") if row["Type"] == "char")
    check(f"module and address in {site!r}", True, re.match(r"unseen\.c\.tmp\+0x[0-9a-f]+ +← unseen\.c\.tmp\+0x[0-9a-f]+$", site) is not None)
    browser.open("file://" + os.path.abspath(sys.argv[4]))
    notes = " ".join(browser.texts(".note"))
    check(f"whose accesses nobody saw in {notes!r}", (True, False),
          ("whose accesses were not seen: allocated by code in no module that is known." in notes, "with heapprof, too" in notes))
    check("errors", [], browser.complaints())
finally:
    browser.close()

browser = Browser(width=500)
try:
    for view in ("overview", "flame", "points", "objects", "types", "source", "process", "memory", "sets"):
        browser.open(f"{url}#view={view}")
        check(f"{view} is wider than the screen", False, browser.run(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth"))
finally:
    browser.close()
