# use_sampled.py PAGE SCORE.json - opens the report of a sampled run and looks at every number that samples can only estimate.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import sys

from webdriver import Browser

page, score = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
url = "file://" + os.path.abspath(page)
browser = Browser()
faults = []


def check(what, holds, found):
    if not holds:
        faults.append(f"{what}: {found!r}")


def marked(what, texts):
    numbers = [text for text in texts if re.search(r"\d", text) and not text.startswith("–")]
    check(f"{what}: nothing shown", numbers, texts)
    for text in numbers:
        check(what, re.match(r"(< )?~", text), text)


def full(what, pattern, texts):
    check(f"{what}: nothing shown", texts, texts)
    for text in texts:
        check(what, re.fullmatch(pattern, text), text)


def count_text(number):
    return f"{round(number):,}".replace(",", "\u202f")


try:
    browser.open(url)
    totals = browser.texts(".totals dd")
    sampling = score["processes"][0]["sampling"]
    print(f"{sampling['samples']} of {totals[2]} chunks".replace("\u202f", ""))
    check("allocations are counted", totals[2] == count_text(sampling["requests"]), totals)
    check("peak and live bytes are counted", "~" not in totals[0] + totals[4], totals)
    marked("scores", browser.texts(".score-number"))
    full("means", r"Not known for any point\.|Geometric mean of \d+ points; plain mean ~.*", browser.texts(".score .note"))
    check("findings", any(f["estimated"] for f in score["findings"]), score["findings"])
    check("sentences", all("~" in text for text in browser.texts(".finding-text")), browser.texts(".finding-text"))
    marked("savings", browser.texts(".finding .share-number"))
    marked("time line", browser.texts(".readout td.number"))
    full("caption", r"At [^:]*: ~.* live in ~.* chunks", browser.texts(".readout caption"))
    marked("scale", [browser.texts(".timeline-figure .axis span")[0], *browser.texts(".timeline-figure .half")])

    browser.open(url + "#view=points")
    for point in score["points"]:
        cells = browser.texts(f"tr[data-point='{point['id']}'] td")
        marked(f"point {point['id']}", [cells[0], *cells[3:11]])
        error = f"± {count_text(point['estimate']['error']['chunks'])}"
        check(f"error of point {point['id']}", cells[3].endswith(error), (cells[3], error))
        if "xmalloc" in (point["site"] or {}).get("function", ""):
            check("place", cells[1].startswith(("unread ", "used ", "resized ")), cells[1])
    resized = 0
    for point in score["points"]:
        browser.open(url + f"#view=points&point={point['id']}")
        numbers = dict(zip(browser.texts(".numbers dt"), browser.texts(".numbers dd")))
        marked("numbers", [text for name, text in numbers.items() if name not in
                           ("Samples", "Allocated by", "In use", "Initialised only")])
        marked("inferences", [number for text in browser.texts(".inferences li") for number in text.split(": ")[1].split(", ")])
        marked("histograms", browser.texts(".histogram:not(.jumps) td:nth-child(3)"))
        notes = browser.texts(".detail .note")
        full("severity", r".* severity ~.*", [text for text in notes if "severity" in text])
        full("drawn", r".*; darker is larger\. \d+ of ~.*", browser.texts("figcaption"))
        ended = [text for text in notes if "ended so" in text]
        resized += len(ended)
        check("resized", all(text.startswith("~") for text in ended), ended)
    check("points resized", resized == 1, resized)

    browser.open(url + "#view=types")
    marked("types", [text for row in browser.run(
        "return [...document.querySelectorAll('.types tbody tr')].map((r) => [...r.cells].slice(1, -1).map((c) => c.textContent))")
        for text in row])
    browser.open(url + "#view=source")
    marked("source", browser.texts(".source .allocates td:nth-child(-n+3)"))
    marked("files", browser.texts(".files .number"))
    browser.open(url + "#view=flame")
    check("tips", all(text.startswith("~") for text in browser.texts(".frame:not(.inner):not(.rest)")), browser.texts(".frame"))
    for i, title in enumerate(browser.run("return [...document.querySelectorAll('button.frame')].map((f) => f.title)")):
        check("title", title.splitlines()[-1].startswith("~"), title)
        browser.run("document.querySelectorAll('button.frame')[arguments[0]].focus()", i)
        full("frame", r".* — ~[^,]*, (< )?~[^,;]* of all(; allocates ~.* itself, severity (~.*|–))?", browser.texts(".about"))
    check("console", not browser.complaints(), browser.complaints())
finally:
    browser.close()
print("\n".join(faults) or "all views: estimates are marked")
sys.exit(bool(faults))
