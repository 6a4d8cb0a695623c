# use_odd_names.py PAGE - odd names are shown as they are, and in their place; what is told only by looks, or only by mouse, is told otherwise, too.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

from page_check import check, state_of
from webdriver import Browser

url = "file://" + os.path.abspath(sys.argv[1])
# Contrast as WCAG 2 defines it, of an element's text against its own background.
CONTRAST = """const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const [text, back] = [...arguments].map((s) => document.querySelector(s));
  const lights = [light(getComputedStyle(text).color), light(getComputedStyle(back).backgroundColor)].sort((a, b) => b - a);
  return (lights[0] + 0.05) / (lights[1] + 0.05);"""
browser = Browser()


def heads_without_name():
    return browser.run("return [...document.querySelectorAll('th')].filter((th) => !th.textContent.trim()).length")


try:
    browser.open(url + "#view=points")
    rows = browser.texts("tr[data-point] td:nth-child(2)")
    check("markup", True, any(text.startswith("<img src=x onerror=document.title='markup'>") for text in rows))
    check("a turned name", True, any("קובץ\ufffdtxt.c:30" in text for text in rows))
    check("title", True, browser.run("return document.title").endswith("heapprof report"))
    check("lines of a long name", True, browser.run(
        "const name = document.querySelector('.clamped'); return name.title === name.textContent"
        " && name.getBoundingClientRect().height < 5 * parseFloat(getComputedStyle(name).fontSize) * 1.5"))
    # What is called by a long name, and has one, is in its lines as well.
    check("lines of a long caller", True, browser.run(
        "const names = [...document.querySelectorAll('td .place .clamped')];"
        " return names.length > 0 && names.every((e) => e.textContent.endsWith('and_ends')"
        " && e.getBoundingClientRect().height < 5 * parseFloat(getComputedStyle(e).fontSize) * 1.5)"))
    browser.open(url)
    check("who calls a long name", 3, browser.texts(".way").count("called by main"))
    browser.open(url + "#view=points")
    check("filter", 1, browser.run("return document.querySelectorAll('[role=search] #filter').length"))
    for view in ("types", "source"):
        browser.open(url + f"#view={view}")
        check(f"heads of {view}", 0, heads_without_name())
    browser.open(url)
    check("links in a sentence", "underline", browser.run("return getComputedStyle(document.querySelector('.finding-links a')).textDecorationLine"))
    browser.open(url + "#view=flame")
    check("levels", True, browser.run("return [...document.querySelectorAll('[role=treeitem]')].every((e) => Number(e.ariaLevel) >= 1)"))

    # Keys are views, but not where a person writes, or is about to copy.
    browser.run("const area = document.createElement('textarea'); document.body.append(area); area.focus()")
    browser.key("1")
    check("a key in a text area", "flame", state_of(browser).get("view"))

    # A line that stands out, dark: its number is read against its own background.
    browser.ask("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}})
    browser.open(url + "#view=points&point=1")
    check("dark", "dark", browser.run("return document.documentElement.dataset.theme"))
    check("contrast", True, browser.run(CONTRAST, ".stack .here .place", ".stack .here") >= 4.5)
    check("complaints", [], browser.complaints())
finally:
    browser.close()
