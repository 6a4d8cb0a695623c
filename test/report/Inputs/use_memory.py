# use_memory.py PAGE MAP.json - the view Memory against what heapprof-score --map says of the peak and the end.
# Of 64 chunks of 8000 bytes in slots of 8 KiB every second one is freed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys

from page_check import check, state_of
from webdriver import Browser

page, by_score = sys.argv[1:3]
with open(by_score, encoding="utf-8") as file:
    known = json.load(file)["maps"][0]
peak, end = known["moments"]
browser = Browser()
CELLS = "return [...document.querySelectorAll('[data-region=\"0\"] .cell')].map((c) => c.className)"


def choose(label, value):
    browser.run("const s = document.querySelector(`[data-choice=\"${arguments[0]}\"]`); s.value = arguments[1];"
                "s.dispatchEvent(new Event('change'))", label, value)
    browser.settle()


def slide(to):
    browser.run("const s = document.querySelector('input.slider'); s.value = arguments[0] ?? s.max;"
                "s.dispatchEvent(new Event('input'))", to)
    browser.settle()


def grid():
    return "".join("#" if "band-" in c or "depth" in c else "," if "slot" in c else "." for c in browser.run(CELLS))


try:
    url = "file://" + os.path.abspath(page)
    browser.open(url + "#view=memory")
    check("at the end", True, "(end)" in browser.texts(".moment")[0])
    check("cells", True, all(cell[2] for cell in end["cells"]))
    # The document's cells are those of heapprof-score; one is 8 KiB if 32 of 256 bytes are joined.
    check("bytes of a cell", 256, known["cell_bytes"])
    has = {cell[0] for cell in end["cells"]}
    check("each cell", "".join("#" if i in has else "." for i in range(known["cell_count"])), grid())
    check("holes", 0, grid().index("#") - 32)
    choose("a cell is", "32")
    check("state", "32", state_of(browser)["cell"])
    check("every second one", ".#" * 32, grid())
    check("the sum", True, "32 chunks, 250 KiB live in 512 KiB mapped: utilisation 49 %, fragmentation 51 %" in browser.texts(".map-sum")[0])

    # Through the moments.
    names = []
    last = int(browser.run("return document.querySelector('input.slider').max"))
    for moment in range(last + 1):
        slide(moment)
        names.append(browser.texts(".moment")[0])
        if "(peak)" in names[-1]:
            check("all of them", "#" * 64, grid())
            check("at the peak", True, f"{peak['chunks']} chunks" in browser.texts(".map-sum")[0])
    check("peak and end", [1, 1], [sum(f"({name})" in text for text in names) for name in ("peak", "end")])
    check("the moment in the address", str(last), state_of(browser)["moment"])
    browser.open(url + f"#view=memory&cell=32&moment={names.index([n for n in names if '(peak)' in n][0])}")
    check("a link to the peak", "#" * 64, grid())

    # Colours, and what is said of a cell.
    slide(None)
    for paint in ("point", "age", "share", "type"):
        choose("colour", paint)
        check(f"by {paint}", ".#" * 32, grid())
        check("legend", True, len(browser.texts(".map-legend li")) >= 3)
    choose("colour", "point")
    check("whose", True, any("main memory.c:" in text for text in browser.texts(".map-legend li")))
    browser.run("document.querySelectorAll('.cell[data-cell]')[1].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
    said = browser.texts(".about")[0]
    check("a cell with a chunk", True, "7.81 KiB requested" in said and "main memory.c:" in said)
    browser.run("document.querySelectorAll('.cell[data-cell]')[0].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
    check("a hole", True, "no chunk: a hole" in browser.texts(".about")[0])
    browser.run("document.querySelectorAll('.cell[data-cell]')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    browser.settle()
    check("a click leads to the point", ["points", str(end["cells"][0][4])], [state_of(browser)["view"], state_of(browser)["point"]])

    # A filter fades what does not pass; nonsense in the address does no harm.
    browser.open(url + "#view=memory&filter=function%3Dnowhere")
    check("dim", True, all("dim" in c for c in browser.run(CELLS) if "band" in c))
    browser.open(url + "#view=memory&moment=x&cell=5&paint=none&process=77")
    check("at the end again", True, "(end)" in browser.texts(".moment")[0])
    check("complaints of the console", [], browser.complaints())
    print("memory as expected")
finally:
    browser.close()
