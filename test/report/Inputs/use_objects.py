# use_objects.py PAGE IQR.json CLUSTERS.json - the view Objects against what heapprof-score says of the same dump.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import sys

from page_check import check, state_of
from webdriver import Browser

page = sys.argv[1]
by_ratio, by_cluster = (json.load(open(name, encoding="utf-8")) for name in sys.argv[2:4])
objects = by_ratio["objects"]
browser = Browser()


def rows():
    return browser.run("return [...document.querySelectorAll('table.objects tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))")


# The middle of each mark, in the order of the table; what is drawn last is first there.
MARKS = """return [...document.querySelectorAll('.object-chart .object-mark')].reverse().map((mark) => {
  const box = mark.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2, mark.querySelector('title').textContent];
})"""


def page_with(change):
    text = open(page, encoding="utf-8").read()
    begin = text.index('id="document">') + len('id="document">')
    end = text.index("</script>", begin)
    document = json.loads(text[begin:end])
    change(document)
    changed = f"{page}.{change.__name__}.html"
    with open(changed, "w", encoding="utf-8") as out:
        out.write(text[:begin] + json.dumps(document).replace("<", "\\u003c") + text[end:])
    return "file://" + os.path.abspath(changed)


try:
    url = "file://" + os.path.abspath(page)
    browser.open(url + "#view=objects")
    shown = rows()
    check("rows", [(o["allocated_by"]["function"], o["freed_by"]["function"]) for o in objects],
          [(row[1].split()[0], row[2].replace("~ ", "").split()[0]) for row in shown])
    check("times", [str(o["frequency"]) for o in objects], [row[4].replace("\u202f", "") for row in shown])
    check("outliers", by_ratio["excessive"]["members"], [i for i, row in enumerate(shown) if "▲" in row[0]])
    excessive = by_cluster["excessive"]
    legend = browser.texts("[data-cluster]")
    check("clusters", excessive["clusters"] if excessive["clusters"] > 1 else 0, len(legend))
    check("clusters by letter", [chr(65 + i) for i in range(len(legend))], [text.split()[0] for text in legend])
    check("every cluster has members", {text.split()[0] for text in legend},
          {row[0].split()[0] for row in shown} - {"–"})
    check("the excessive cluster", [row[0].split()[0] for i, row in enumerate(shown) if i in excessive["members"]],
          [text.split()[0] for text in legend if ", excessive:" in text for _ in excessive["members"]])
    if legend:
        check("first name", True, "most frequent" in legend[0])
        check("a verdict in words", True, browser.texts("[data-verdict=clusters]")[0].startswith(excessive["verdict"]))
    words = browser.texts("[data-verdict=iqr]")[0]
    check("outliers in words", True, words.startswith(by_ratio["excessive"]["verdict"]))
    check("their number", by_ratio["excessive"]["objects"], int(re.search(r"of (\d+) objects?\b", words)[1]))

    # Both axes are logarithmic: marks are in the order of their values, and equal ones at one place.
    marks = browser.run(MARKS)
    check("marks", len(objects), len(marks))
    for (x, y, title), o in zip(marks, objects):
        check("a mark's title", True, f"{o['frequency']} times" in title.replace("\u202f", ""))
    for (x, y, _), o in zip(marks, objects):
        for (other_x, other_y, _), other in zip(marks, objects):
            if o["frequency"] > 1.3 * other["frequency"]:
                check("more frequent ones are higher", True, y < other_y)
            if o["mean_lifetime_ns"] > 1.3 * other["mean_lifetime_ns"]:
                check("those that live longer are on the right", True, x > other_x)

    # A click on a mark, or on the row, leads to the point; a filter holds for objects, too.
    browser.run("document.querySelector('.object-chart a:last-of-type .object-mark').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.settle()
    check("view", "points", state_of(browser)["view"])
    check("point", True, int(state_of(browser)["point"]) in objects[0]["points"])
    browser.open(url + "#view=objects")
    browser.click("table.objects tbody tr a")
    check("point by its row", True, int(state_of(browser)["point"]) in objects[0]["points"])
    browser.open(url + "#view=objects&filter=function%3Dnowhere")
    check("nothing passes", [[], 0], [rows(), len(browser.run(MARKS))])
    check("and says so", True, "The filter lets none pass." in browser.texts("main")[0])

    # Lives of no time, of no clock, have a place, too; so has nothing.
    def forget_lives(document):
        document["objects"]["mean_lifetime_ns"] = [0] * len(objects)
        document["objects"]["ratio"] = [None] * len(objects)
    browser.open(page_with(forget_lives) + "#view=objects")
    check("marks without a life", len(objects), len(browser.run(MARKS)))
    check("their places", True, all(isinstance(x, (int, float)) and 0 < x < 640 and 0 < y < 440 for x, y, _ in browser.run(MARKS)))
    check("their lives", ["0 ns"] * len(objects), [row[5] for row in rows()])

    def forget_objects(document):
        for column in document["objects"].values():
            if isinstance(column, list):
                column.clear()
        document["objects"]["count"] = 0
        document["objects"]["clusters"] |= {"verdict": "undetermined", "objects": 0, "members": 0, "clusters": 0, "cluster": None}
        document["objects"]["iqr"] = {"verdict": "undetermined", "objects": 0, "members": 0, "mu": 3}
    browser.open(page_with(forget_objects) + "#view=objects")
    check("none", True, "None: no chunk was freed, or the dump does not say where." in browser.texts("main")[0])
    check("complaints of the console", [], browser.complaints())
    print("objects as expected")
finally:
    browser.close()
