# use_sets.py PAGE HEAPPROF-SCORE DUMP - uses the boxes of sets as a person does, and compares what they say with heapprof-score.
# The page's sets are leak = live_at(end) and large = size>=64, of test/score/sets.c.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import subprocess
import sys
import urllib.parse

from page_check import check, state_of
from webdriver import Browser

page, command, dump = sys.argv[1:4]
url = "file://" + os.path.abspath(page)
browser = Browser()


def bytes_text(n):
    if n < 1024:
        return f"{n} B"
    return f"{n / 1024:.{2 if n < 10235 else 1}f} KiB"


def known(expression):
    answer = json.loads(subprocess.run([command, "--json", "--filter", expression, dump], stdout=subprocess.PIPE, check=True).stdout)
    return answer["set"], answer["points"]


def amount(expression):
    numbers = known(expression)[0]
    return [str(numbers["chunks"]), bytes_text(numbers["bytes"])]


def shown(selector):
    return [texts[0] for texts in (browser.texts(f"{selector} .set-chunks"), browser.texts(f"{selector} .set-bytes"))]


def go(**state):
    browser.open(url + "#" + urllib.parse.urlencode(state))


try:
    browser.open(url)
    browser.ask("/execute/async", {"args": [], "script": """const done = arguments[0], look = () =>
      (document.documentElement.dataset.chunks ? done() : setTimeout(look, 10)); look();"""})
    # Boxes say what is in each set, of all chunks.
    go(view="sets")
    check("boxes", ["leak", "large"], browser.run("return [...document.querySelectorAll('.boxes.named li')].map((b) => b.dataset.set)"))
    for name, expression in (("leak", "live_at(end)"), ("large", "size>=64")):
        check(name, amount(expression), shown(f"[data-set={name}]"))
        peak = bytes_text(known(expression)[0]["peak_bytes"])
        check(f"peak of {name}", True, f"peak {peak}" in browser.texts(f"[data-set={name}] .remains")[0])

    # A third by name, a fourth of two by an operator; then order, change, removal.
    browser.type(".new-name", "first")
    browser.type(".new-text", "thread=1")
    browser.key("Enter")
    check("new set", amount("thread=1"), shown("[data-set=first]"))
    browser.run("""const form = document.querySelector('form.combine'), [one, how, two] = form.querySelectorAll('select');
      [one.value, how.value, two.value] = ['large', '& !', 'leak'];""")
    browser.type(".combined-name", "difference")
    browser.key("Enter")
    check("difference", amount("size>=64 & !live_at(end)"), shown("[data-set=difference]"))
    browser.type(".new-name", "size")
    browser.type(".new-text", "thread=1")
    browser.key("Enter")
    check("a key is no name", 4, len(browser.texts(".boxes.named li")))
    go(view="sets", sets="a = size>=64\nb = a & !leak2\nleak2 = live_at(end)")
    check("later sets", amount("size>=64 & !live_at(end)"), shown("[data-set=b]"))
    go(view="sets", sets="a = b\nb = a")
    check("a circle", True, "part of itself" in browser.texts("[data-set=a] .remains")[0])
    go(view="sets", sets="a = size>=64KB")
    check("where it is wrong", True, "(at column 7)" in browser.texts("[data-set=a] .remains")[0])
    go(view="sets", sets="-")
    check("no boxes", 0, len(browser.texts(".boxes.named li")))

    # The filter, condition by condition.
    conditions = ["size<=300", "born(..swapped)", "!thread=2"]
    go(view="sets", filter=" & ".join(conditions))
    check("conditions", conditions, browser.texts(".boxes .box:not(.all):not(.named) > code"))
    for number in range(3):
        check(f"after {conditions[number]}", amount(" & ".join(conditions[:number + 1])), shown(f".boxes .box:nth-child({number + 2})"))
    browser.run("document.querySelector('.box:nth-child(3) [aria-label^=move]').click()")
    check("moved", "born(..swapped) & size<=300 & !thread=2", state_of(browser)["filter"])
    browser.run("document.querySelector('.box:nth-child(3) [aria-label^=switch]').click()")
    check("switched off", ("born(..swapped) & !thread=2", "size<=300"), (state_of(browser)["filter"], state_of(browser)["off"]))
    browser.run("document.querySelector('.box.off [aria-label^=put]').click()")
    check("put back", ("born(..swapped) & !thread=2 & (size<=300)", None), (state_of(browser)["filter"], state_of(browser).get("off")))
    browser.type("#set-name", "kept")
    browser.key("Enter")
    check("saved", amount(" & ".join(conditions)), shown("[data-set=kept]"))

    # Views are of the set: rows and their numbers, totals, chunks that are drawn, and a mark where they are not.
    expression = "size=64 & !live_at(filled)"
    numbers, points = known(expression)
    go(view="points", filter=expression)
    check("passed", True, browser.texts(".passed")[0].startswith(f"{len(points)} of 6 points pass, 1 of them in part: {numbers['chunks']} chunks"))
    for point in points:
        cells = browser.texts(f"tr[data-point='{point['id']}'] td")
        check(f"point {point['id']}", [str(point["chunks"]), bytes_text(point["bytes"]), bytes_text(point["peak_bytes"]),
                                       bytes_text(point["bytes_at_global_peak"]), bytes_text(point["live_bytes"])], cells[3:8])
    (part,) = [p for p in points if p["is_part"]]
    check("no score of a part", "–", browser.texts(f"tr[data-point='{part['id']}'] td")[0])
    go(view="points", filter=expression, point=str(part["id"]), sets="one = writes=0\ntwo = size=64", colour="sets")
    check("drawn", part["chunks"], len(browser.texts(".lives .of-set")))
    written = known(f"{expression} & writes=0 & point={part['id']}")[0]["chunks"]
    check("colours of chunks", [written, part["chunks"] - written],
          [len(browser.texts(f".lives .band-{number}")) for number in (0, 1)])
    check("said", True, "In part:" in browser.texts(".note.part")[0])
    totals = browser.texts(".totals dd")
    check("totals", [bytes_text(numbers["bytes"]), str(numbers["chunks"])], totals[1:3])
    go(filter=expression)
    check("findings are said to be of all", True, all("all chunks" in text for text in browser.texts(".note.of-all")))

    # Colours: a band for each set, what is in two has the first's; shares of frames likewise.
    sets = "leak = live_at(end)\nlarge = size>=64"
    go(sets=sets, colour="sets")
    check("bands", ["leak", "large", "in no set"], browser.texts(".timeline-figure .readout td.code"))
    go(view="flame", measure="chunks", sets=sets, colour="sets")
    widths = browser.run("return document.querySelector('.frame').style.background.match(/[0-9.]+%/g).map(parseFloat)")
    both = [int(amount(text)[0]) for text in ("live_at(end)", "size>=64 & !live_at(end)", "")] if amount("died")[0] else []
    check("stripes", [round(100 * both[0] / 331, 1), round(100 * (both[0] + both[1]) / 331, 1)], [round(widths[1], 1), round(widths[3], 1)])

    # Colours can be chosen: the box, chunks, bands and legends have them; a set that nobody chose for keeps that of its place.
    go(view="sets", sets=sets)
    pressed = "return [...document.querySelectorAll('.boxes.named li')].map((b) => [...b.querySelectorAll('.tint')].map((t) => t.ariaPressed === 'true'))"
    check("colours of places", [[True, False], [False, True]], [chosen[:2] for chosen in browser.run(pressed)])
    browser.run("document.querySelector('[data-set=leak] [aria-label=\"colour 5\"]').click()")
    check("chosen", "leak=4", state_of(browser)["tints"])
    check("pressed", [4, 1], [chosen.index(True) for chosen in browser.run(pressed)])
    check("its swatch", ["swatch band-4", "swatch band-1"], browser.run("return [...document.querySelectorAll('.box-name .swatch')].map((s) => s.className)"))
    check("in the legend", ["swatch band-4", "swatch band-1", "swatch band-rest"],
          browser.run("return [...document.querySelectorAll('.box-legend .swatch')].map((s) => s.className)"))
    go(sets=sets, colour="sets", tints="leak=4")
    check("bands' colours", True, browser.run("return document.querySelectorAll('.timeline-figure .band-4').length > 0"
                                              " && document.querySelectorAll('.timeline-figure .band-0').length === 0"))
    go(view="points", filter=expression, point=str(part["id"]), sets="one = writes=0\ntwo = size=64", colour="sets", tints="two=5 nobody=3 one=x")
    check("chosen colours of chunks", [written, part["chunks"] - written], [len(browser.texts(f".lives .band-{number}")) for number in (0, 5)])
    go(view="flame", measure="chunks", sets=sets, colour="sets", tints="leak=4")
    check("chosen stripes", True, "var(--b4) 0" in browser.run("return document.querySelector('.frame').getAttribute('style')"))

    # Generations by mark.
    go(view="sets")
    names = ["start", "filled", "swapped", "end"]
    cells = browser.run("""return [...document.querySelectorAll('.generations tbody tr')].map((row) => [...row.cells].slice(1).map((cell) =>
      cell.querySelector('.note')?.textContent.split(' ')[0] ?? ''))""")
    for born in range(3):
        row = [f"born({names[born]}..{names[born + 1]})"]
        row += [f"{row[0]} & live_at({names[k + 1]})" for k in range(born, 3)]
        check(row[0], [amount(text)[0] if known(text)[0] else "0" for text in row], [text for text in cells[born] if text])

    check("complaints of the console", [], browser.complaints())
    print("sets as expected")
finally:
    browser.close()
