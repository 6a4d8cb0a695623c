# use_narrow.py PAGE... - each view of each page, with all that opens in it open, on a screen of 320 pixels: nothing is wider than the screen.
# So are single points, and a page on which sets have names.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys
import urllib.parse

from page_check import check
from webdriver import Browser

SETS = {"sets": "large = size>=64\nkept_to_the_end = live_at(end) & size>=16 & thread=1", "colour": "sets", "paint": "sets"}
TOO_WIDE = """const width = document.documentElement.clientWidth;
  const isCut = (e) => e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || isCut(e.parentElement));
  for (const details of document.querySelectorAll('details')) details.open = true;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > width + 0.5 && !isCut(e.parentElement))
    .map((e) => `${e.tagName}.${e.className}`);"""


def look(browser, url, **state):
    browser.open(url + "#" + urllib.parse.urlencode(state))
    check(f"wider than the screen: {state}", [], browser.run(TOO_WIDE))


browser = Browser()
try:
    # A window has 500 pixels at least, of which a scroll bar would take 15.
    browser.ask("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
        "width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": False}})
    for page in sys.argv[1:]:
        url = "file://" + os.path.abspath(page)
        browser.open(url)
        views = browser.run("return [...document.querySelectorAll('[data-view]')].map((link) => link.dataset.view)")
        check("views", True, len(views) >= 9)
        for view in views:
            look(browser, url, view=view)
            look(browser, url, view=view, **SETS)
        browser.open(url + "#view=points")
        for point in browser.run("return [...document.querySelectorAll('tr[data-point]')].map((row) => row.dataset.point)")[:5]:
            look(browser, url, view="points", point=point)
    print("narrow pages as expected")
finally:
    browser.close()
