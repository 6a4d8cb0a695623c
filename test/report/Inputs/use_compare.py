# use_compare.py PAGE HEAPPROF-DIFF SETS OLD NEW - what a page of two runs says of points, for some filters, is what heapprof-diff says.
# Then the flame graph's colours, the groups, and findings that came and went.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import subprocess
import sys
import urllib.parse

from page_check import check
from webdriver import Browser

page, command, sets, old, new = sys.argv[1:6]
url = "file://" + os.path.abspath(page)
browser = Browser()
NUMBERS = {"chunks": "chunks", "bytes": "bytes", "live_bytes": "live_bytes"}


def bytes_text(n):
    if n < 1024:
        return f"{n} B"
    return f"{n / 1024:.{2 if n < 10235 else 1}f} KiB"


def go(**state):
    browser.open(url + "#" + urllib.parse.urlencode({"view": "compare", **state}))


def rows_of(expression, number):
    show = str if number == "chunks" else bytes_text
    options = ["--filter", expression] if expression else []
    answer = json.loads(subprocess.run([command, "--json", "--sets", sets, *options, old, new], stdout=subprocess.PIPE, check=True).stdout)
    rows = []
    for row in answer["rows"]:
        before, after = ((row[side] or {NUMBERS[number]: 0})[NUMBERS[number]] for side in ("old", "new"))
        if before or after:
            sign = "+" if after > before else "−"
            change = "0" if before == after else f"{sign}{show(abs(after - before))}"
            rows.append([{"added": "new", "removed": "gone"}.get(row["status"], ""), show(before), show(after), change])
    return sorted(rows)


try:
    browser.open(url)
    browser.ask("/execute/async", {"args": [], "script": """const done = arguments[0], look = () =>
      (document.documentElement.dataset.chunks ? done() : setTimeout(look, 10)); look();"""})
    some = 0
    for expression in ("", "size=64", "new:extra & !old:extra", "old:extra", "old:kept & new:kept & live_at(end)", "died & thread=1"):
        for number in NUMBERS:
            go(filter=expression, change=number)
            shown = browser.run("""return [...document.querySelectorAll('.compare tbody tr')].map((row) => [...row.cells].slice(1).map((cell) =>
              cell.textContent.replace(/ \\(.*\\)$/, '')))""")
            expected = rows_of(expression, number)
            some += len(expected)
            check(f"{expression or 'all'}, {number}", expected, sorted(shown))
    check("something was compared", True, some > 30)
    go(filter="old:nothing")
    check("no such set", True, browser.texts(".passed")[0].startswith('no set is named "nothing"'))
    go(by="type")
    check("types", True, "char" in browser.texts(".compare tbody .code"))
    check("colours", (True, 0), (len(browser.texts(".compare .more-than")) > 0, len(browser.texts(".compare .less-than"))))
    check("findings", [0, 0, 2], [len(browser.texts(f"[data-finding={word}]")) for word in ("came", "went", "stayed")])
    browser.open(url + "#view=flame&colour=change&measure=chunks")
    check("red", True, "--more" in browser.run("return document.querySelector('.frame').style.background"))
    browser.key("0")
    check("key", ["Before and after"], browser.texts("main h2")[:1])
    check("complaints of the console", [], browser.complaints())
    print("both runs as expected")
finally:
    browser.close()
