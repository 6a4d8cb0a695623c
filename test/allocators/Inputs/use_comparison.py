# use_comparison.py PAGE - opens the page of a comparison and looks at what it shows of the document inside it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import sys

from webdriver import Browser

browser = Browser()
faults = []


def check(what, found, expected):
    if found != expected:
        faults.append(f"{what}: {found!r}, not {expected!r}")


try:
    browser.open("file://" + os.path.abspath(sys.argv[1]))
    document = json.loads(browser.run("return document.getElementById('document').textContent"))
    allocators = document["allocators"]
    labels = [f"{a['name']} {a['knob']}={a['value']}" if a["knob"] else a["name"] for a in allocators]
    check("allocators", labels, ["glibc", "jemalloc", "glibc top_pad=64K", "glibc top_pad=1M"])
    check("rows", browser.texts(".compared")[0].count("glibc"), 3)
    glibc = [label for label in labels if label.startswith("glibc")]
    check("labels", browser.texts(".compared tbody th"), labels + glibc + labels)
    check("arenas", browser.texts(".arenas tbody td")[0], str(allocators[0]["glibc_arenas"]["arenas"]))
    check("advice", document["recommendation"]["text"] in browser.texts(".advice")[0], True)
    check("arguments", "<b>bold</b>" in browser.texts(".command")[0], True)
    check("bold", browser.texts(".command b"), [])
    check("sections", browser.texts("h2"), ["Over the run", "glibc: top_pad", "What glibc says of itself", "Functions"])
    points = browser.run("return [...document.querySelector('.curves svg').querySelectorAll('g')].map((g) => g.querySelectorAll('circle').length)")
    check("points of live bytes", points, [len(a["samples"]) for a in allocators if not a["knob"]])
    check("curves of the setting", browser.run("return document.querySelectorAll('.sweep figure').length"), 13)
    titles = browser.run("return [...document.querySelectorAll('.sweep title')].map((t) => t.textContent)")
    check("brk as it is", f"top_pad, as it is: {allocators[0]['brk_calls']}" in titles, True)
    check("complaints", browser.complaints(), [])
    check("requests", [u for u in browser.requests() if not u.startswith(("file://", "data:", "chrome", "about:"))], [])
finally:
    browser.close()
print("\n".join(faults))
sys.exit(bool(faults))
