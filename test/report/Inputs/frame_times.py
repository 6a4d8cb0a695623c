# frame_times.py PAGE... - what the browser's main thread does for each thing that a person does, in milliseconds.
# By hand: a figure for docs/heapprof-report.md, of CPU time, so that a busy machine does not change it. No test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

from webdriver import Browser

ROUNDS = 3
DRAG = """const chart = document.querySelector('svg.timeline'), box = chart.getBoundingClientRect();
  for (const [type, share] of [['pointerdown', 0.2], ['pointermove', 0.5], ['pointerup', 0.8]])
    chart.dispatchEvent(new PointerEvent(type, {clientX: box.left + share * box.width, clientY: box.top + 5}));"""
SORT = "[...document.querySelectorAll('th button')].find((b) => b.textContent.startsWith('Bytes')).click()"
TYPE = """const filter = document.querySelector('#filter'); filter.value = arguments[0];
  filter.dispatchEvent(new Event('input', {bubbles: true}));"""


def task_ms(browser):
    metrics = browser.ask("/goog/cdp/execute", {"cmd": "Performance.getMetrics", "params": {}})["metrics"]
    return 1000 * next(m["value"] for m in metrics if m["name"] == "TaskDuration")


# Without what asking itself takes.
def cost(browser, act):
    idle = -task_ms(browser)
    browser.settle()
    idle += task_ms(browser)
    before = task_ms(browser)
    act()
    browser.settle()
    return task_ms(browser) - before - idle


def steps(browser, url):
    def view(name):
        return lambda: browser.run("location.hash = arguments[0]", f"view={name}")
    yield "overview", view("overview")
    yield "drag a time window", lambda: browser.run(DRAG)
    yield "flame graph", view("flame")
    yield "types", view("types")
    yield "source", view("source")
    yield "points", view("points")
    yield "sort", lambda: browser.run(SORT)
    yield "filter by function", lambda: browser.run(TYPE, "function=work_1*")
    yield "filter by chunks", lambda: browser.run(TYPE, "size>=64 & !live_at(end)")
    yield "no filter", lambda: browser.run(TYPE, "")


def main():
    for page in sys.argv[1:]:
        url = "file://" + os.path.abspath(page)
        best = {}
        for _ in range(ROUNDS):
            browser = Browser()
            try:
                browser.ask("/goog/cdp/execute", {"cmd": "Performance.enable", "params": {"timeDomain": "threadTicks"}})
                browser.open(url)
                browser.settle()
                taken = [("load", task_ms(browser))]
                taken += [(name, cost(browser, act)) for name, act in steps(browser, url)]
            finally:
                browser.close()
            for name, ms in taken:
                best[name] = min(ms, best.get(name, ms))
        print(page, ", ".join(f"{name} {ms:.0f}" for name, ms in best.items()))


main()
