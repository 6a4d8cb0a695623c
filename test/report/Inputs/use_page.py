# use_page.py PAGE SCORE.json - opens a report as a person does, visits all of it, compares numbers with heapprof-score's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import math
import os
import sys
import urllib.parse

from page_check import check, state_of
from webdriver import Browser

page, score = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
url = "file://" + os.path.abspath(page)
browser = Browser()


# As heapprof-score prints them, with a blank.
def bytes_text(n):
    if n < 1024:
        return f"{n} B"
    value, units = n / 1024, ["KiB", "MiB", "GiB"]
    while value >= 1023.5:
        value, units = value / 1024, units[1:]
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {units[0]}"


def score_text(value):
    return "–" if value is None else f"{value:.2f}"


try:
    browser.open(url)
    # Overview: findings first, in order, with line and remedy; then the scores.
    check("first heading", "What to change", browser.texts("main h2")[0])
    check("findings", [f["text"] for f in score["findings"]], browser.texts(".finding-text"))
    check("remedies", ["Do: " + f["remedy"] for f in score["findings"]], browser.texts(".remedy"))
    check("lines", ["char *unread = malloc(700);"], [t.strip() for t in browser.texts(".source-line.here code")][:1])
    check("scores", [f"{score_text(score['global'][kind]['geomean'])} of 1" for kind in ("lifetime", "usage", "useful_lifetime")],
          browser.texts(".score-number"))
    totals = browser.texts(".totals dd")
    check("totals", [bytes_text(score["global"]["peak_bytes"]), str(score["global"]["points"])], [totals[0], totals[3]])
    at_peak = {}
    for point in score["points"]:
        at_peak[point["type"]] = at_peak.get(point["type"], 0) + point["bytes_at_global_peak"]
    check("types at the peak", {name: bytes_text(n) for name, n in at_peak.items()},
          dict(zip(browser.texts(".readout td:nth-child(2)"), browser.texts(".readout td:nth-child(3)"))))
    check("cursor at the peak", True, f"the peak: {bytes_text(score['global']['peak_bytes'])} live"
          in browser.texts(".readout caption")[0])

    # Each view by its link and by its key; the address says which.
    for number, view in enumerate(["overview", "flame", "points", "objects", "types", "source", "process", "memory", "sets"], 1):
        browser.click(f"[data-view={view}]")
        check("view by link", view, state_of(browser).get("view", "overview"))
        check("current view", [view], browser.run(
            "return [...document.querySelectorAll('[data-view][aria-current]')].map((e) => e.dataset.view)"))
        check(f"{view} is empty", False, browser.run("return document.querySelector('main').children.length === 0"))
        browser.key("1")
        browser.key(str(number))
        check("view by key", view, state_of(browser).get("view", "overview"))

    # Process: the parts of what is resident, at both moments, and in the bar by their shares.
    browser.click("[data-view=process]")
    memory = [score["processes"][0]["process_memory"][moment] for moment in ("peak", "end")]
    check("resident", [bytes_text(m["rss_bytes"]) for m in memory], browser.texts(".rss"))
    parts = [[m[f"{name}_bytes"] for name in ("live", "slack", "retained", "mapping", "global", "stack", "code", "own")] for m in memory]
    for number, values in enumerate(parts, 1):
        check("parts", [bytes_text(n) for n in values],
              browser.texts(f".memory:nth-of-type({number}) .readout td:nth-child(3)")[:len(values)])
    widths = browser.run("return [...document.querySelectorAll('.memory-bar')].map((bar) => [...bar.children].reduce("
                         "(sum, part) => sum + parseFloat(part.style.width), 0))")
    rows = {cells[0]: cells for cells in browser.run(
        "return [...document.querySelectorAll('.callers tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")}
    (thread,) = [t for t in score["threads"] if t["thread"] == 1]
    check("one thread", True, "1 thread, those that allocated most first" in browser.texts(".callers caption"))
    check("thread", [f"{thread['allocations']:,}", bytes_text(thread["bytes"]), f"{thread['frees']:,}"], rows["1 main"][1:4])
    for function in score["functions"]:
        check("function", [f"{function['calls']:,}", bytes_text(function["bytes"])], rows[function["function"]][1:3])
    check("mappings", [bytes_text(m["peak_bytes"]) for m in score["mappings"]],
          browser.texts(".mappings tbody td:nth-child(6)"))
    check("globals", [bytes_text(g["resident_bytes"]) for g in score["globals"]],
          browser.texts(".globals .module td:nth-child(2)"))
    check("variables", [v["name"] for g in score["globals"] for v in g["variables"][:100]],
          browser.texts(".globals details td:first-child"))
    (timeline,) = score["timelines"]
    check("resident over time", [bytes_text(max(bytes for bytes in timeline["resident_max"] if bytes))],
          [text.split("Most resident: ")[1].split(", at")[0] for text in browser.texts(".resident-figure figcaption")])
    check("bars are full", [100, 100], [round(width) for width in widths])

    # Points: the numbers of each row.
    browser.click("[data-view=points]")
    for point in score["points"]:
        cells = browser.texts(f"tr[data-point='{point['id']}'] td")
        scores = point["scores"]
        check(f"point {point['id']}", [score_text(point["severity"]), str(point["chunks"]), bytes_text(point["bytes"]),
              bytes_text(point["peak_bytes"]), bytes_text(point["bytes_at_global_peak"]), bytes_text(point["live_bytes"]),
              score_text(scores["lifetime"]), score_text(scores["usage"])], [cells[0], *cells[3:10]])
    check("rows", len(score["points"]), len(browser.texts("tr[data-point]")))
    places = browser.texts("tr[data-point] td:nth-child(2)")
    check("callers", True, any("keep" in p and p.endswith("← main") for p in places) and not any("libc_start" in p for p in places))
    for label, key in (("Bytes", "bytes"), ("Chunks", "chunks")):
        browser.run("[...document.querySelectorAll('th button')].find((b) => b.textContent.startsWith(arguments[0])).click()", label)
        check(f"sorted by {label}", [str(p["id"]) for p in sorted(score["points"], key=lambda p: -p[key])],
              browser.run("return [...document.querySelectorAll('tr[data-point]')].map((r) => r.dataset.point)"))

    # One point: stack, chunks, inferences; back by Escape.
    unread = next(p for p in score["points"] if p["inferences"]["unused"]["flagged"] and p["site"]["function"] == "keep")
    browser.click(f"tr[data-point='{unread['id']}'] a")
    check("address", str(unread["id"]), state_of(browser)["point"])
    check("stack", [f["function"] for f in unread["stack"] if f["function"]],
          [text for text in browser.texts(".stack code") if not text.startswith("0x")])
    check("drawn chunks", unread["chunks"], len(browser.texts(".lives .life")))
    check("flags", True, any(text.startswith("● never read nor written") for text in browser.texts(".inferences li")))
    browser.key("Escape")
    check("address after Escape", None, state_of(browser).get("point"))

    # The filter holds for every view; a bad one says so and hides nothing.
    browser.key("/")
    browser.type("#filter", "function=keep")
    kept = sum(any(f["function"] == "keep" for f in p["stack"]) for p in score["points"])
    check("filter", f"{kept} of {len(score['points'])} points pass", browser.texts(".passed")[0])
    check("filtered rows", kept, len(browser.texts("tr[data-point]")))
    check("address", "function=keep", state_of(browser)["filter"])
    browser.type("#filter", " flag=odd")
    check("bad filter", True, browser.texts(".passed")[0].startswith('no flag is named "odd"'))
    check("rows with a bad filter", len(score["points"]), len(browser.texts("tr[data-point]")))

    # Back leads to what was shown before a filter was typed, whatever was typed in it, and Forward to it again.
    browser.open(url + "#view=points")
    browser.open(url + "#view=types")
    browser.type("#filter", "function=keep")
    browser.click("[data-view=source]")
    for step, view, text in (("/back", "types", "function=keep"), ("/back", "types", ""), ("/back", "points", ""),
                             ("/forward", "types", ""), ("/forward", "types", "function=keep")):
        browser.ask(step, {})
        browser.settle()
        state = state_of(browser)
        check(step, (view, text, text), (state["view"], state.get("filter", ""),
              browser.run("return document.querySelector('#filter').value")))

    # Totals and scores are those of what passes, and of all again without a filter.
    def shown():
        return (browser.texts(".totals dd"), [float(text.split()[0].strip("~")) for text in browser.texts("[data-score]")])
    browser.open(url + "#view=overview")
    all_totals, all_scores = shown()
    browser.open(url + "#view=overview&filter=function%3Dkeep")
    totals, scores = shown()
    passing = [p for p in score["points"] if any(f["function"] == "keep" for f in p["stack"])]
    check("points in the totals", str(kept), totals[3])
    check("allocations in the totals", str(sum(p["chunks"] for p in passing)), totals[2].replace(",", ""))
    for name, value in zip(("lifetime", "usage", "useful_lifetime"), scores):
        known = [max(p["scores"][name], 0.01) for p in passing if p["scores"][name] is not None]
        check(f"{name} of what passes", True, abs(value - math.exp(sum(map(math.log, known)) / len(known))) < 0.006)
    browser.open(url + "#view=overview")
    check("totals without a filter", (all_totals, all_scores), shown())
    check("points in all totals", str(len(score["points"])), all_totals[3])
    browser.open(url + "#view=points&filter=function%3Dkeep")

    # Threads and times, typed or dragged.
    everything = str(len(score["points"]))
    for term, passing in (("thread=1", everything), ("thread=7", "0"), ("time=0ms..", everything), ("time=5000000s..", "0")):
        browser.open(url + "#view=points&filter=" + urllib.parse.quote(term))
        check(term, f"{passing} of {everything} points pass", browser.texts(".passed")[0].split(",")[0])
    browser.open(url + "#view=points&filter=time%3Dsoon")
    check("no window", True, browser.texts(".passed")[0].startswith('"soon" is no time window'))
    browser.open(url + "#filter=function%3Dkeep")
    browser.run("""const chart = document.querySelector('svg.timeline'), box = chart.getBoundingClientRect();
      for (const [type, share] of [['pointerdown', 0.9], ['pointerup', 0.2]])
        chart.dispatchEvent(new PointerEvent(type, {clientX: box.left + share * box.width, clientY: box.top + 5}));""")
    check("dragged", True, state_of(browser)["filter"].startswith("function=keep time="))
    check("marked", 1, browser.run("return document.querySelectorAll('svg.timeline .selected').length"))
    browser.run("[...document.querySelectorAll('main a')].find((a) => a.textContent === 'Show all').click()")
    check("all again", "function=keep", state_of(browser)["filter"])

    # A link shows the same; Types and Source follow the filter.
    browser.open(url + "#view=types&filter=function%3Dkeep")
    check("types", ["char"], browser.texts(".types td.code"))
    browser.open(url + "#view=source&filter=function%3Dkeep")
    check("annotated line", ["char *unread = malloc(700);"], [t.strip() for t in browser.texts(".source .allocates code")])

    # Flame graph: the width is the measure; the cursor's measure follows the time line; a click zooms.
    browser.open(url + "#view=flame&measure=chunks")
    check("tips", True, any(t.endswith("churn") for t in browser.texts(".frame")))
    widths = dict(browser.run("return [...document.querySelectorAll('.frame')].map((f) => [f.textContent.replace(/^[0-9.]+ /, ''), "
                              "parseFloat(f.style.width)])"))
    churned = sum(p["chunks"] for p in score["points"] if p["site"] and p["site"]["function"] == "churn")
    check("width of churn", round(100 * churned / score["global"]["chunks"], 3), round(widths["churn"], 3))
    browser.run("[...document.querySelectorAll('button.frame')].find((f) => f.textContent.endsWith('churn')).click()")
    check("zoomed", True, state_of(browser)["zoom"].endswith("churn"))
    # What starts the program is no frame of it, but for who asks for all.
    browser.open(url + "#view=flame&measure=chunks")
    names = browser.texts(".frame") + browser.texts(".trunk button")
    check("start-up code", [], [n for n in names if "libc_start" in n or n == "_start"])
    check("main", True, "main" in names)
    browser.open(url + "#view=flame&measure=chunks&library=yes")
    check("start-up code among all", True, "_start" in browser.texts(".frame") + browser.texts(".trunk button"))
    browser.open(url + "#view=source")
    check("files", ["page.c"], browser.texts(".files .code"))
    browser.open(url + "#view=flame&measure=cursor&at=199")
    check("at the end", True, browser.run("return document.querySelector('main').textContent.includes('keep')"))

    # With keys alone: from the filter to the rows, into a point and back.
    browser.open(url + "#view=points")
    browser.run("document.querySelector('#filter').focus()")
    for _ in range(60):
        browser.key("Tab")
        row = browser.run("return document.activeElement.closest('tr[data-point]')?.dataset.point ?? null")
        if row:
            break
    check("Tab leads to the first row", browser.run("return document.querySelector('tr[data-point]').dataset.point"), row)
    browser.key("Enter")
    check("Enter opens it", row, state_of(browser)["point"])
    browser.key("Escape")
    check("Escape closes it", None, state_of(browser).get("point"))

    # Paper is light and has what is to be read, whatever the screen's theme.
    browser.open(url + "#view=points")
    browser.run("document.documentElement.dataset.theme = 'dark'")
    browser.ask("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}})
    check("paper", "rgb(255, 255, 255)", browser.run("return getComputedStyle(document.body).backgroundColor"))
    check("ink", "rgb(29, 33, 37)", browser.run("return getComputedStyle(document.body).color"))
    check("controls on paper", [], browser.run("""return ['.bar-top', 'footer', '.more'].filter((s) =>
      getComputedStyle(document.querySelector(s)).display !== 'none')"""))
    check("table fits the paper", True, browser.run("""document.body.style.width = '180mm';
      return document.querySelector('table.points').getBoundingClientRect().width <= document.body.getBoundingClientRect().width + 1"""))
    check("a document", True, len(browser.ask("/print", {})) > 10000)
    browser.ask("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": ""}})
    browser.open(url)

    # Dark and light.
    before = browser.run("return document.documentElement.dataset.theme")
    browser.click(".theme")
    check("theme turned over", True, browser.run("return document.documentElement.dataset.theme") != before)

    check("complaints of the console", [], browser.complaints())
    asked = [u for u in browser.requests() if not u.startswith((url, "data:", "chrome", "about:"))]
    check("requests", [], asked)
    print("page as expected")
finally:
    browser.close()
