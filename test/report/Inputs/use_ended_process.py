# use_ended_process.py PAGE - two processes, one after the other, in the time line of the page: the second has more than the first never freed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

from page_check import check
from webdriver import Browser

browser = Browser()

try:
    url = "file://" + os.path.abspath(sys.argv[1])
    browser.open(url)
    check("sums of several moments say so", ["live, each at its end", "resident, each at its peak"], browser.texts(".totals dt")[4:])
    browser.open(url + "#filter=size>=1000")
    check("passes", True, "2 of them in part: 2 chunks, 2.38 MiB" in browser.texts(".passed")[0])
    label = browser.run("return document.querySelector('svg.timeline').getAttribute('aria-label')")
    check("most at a time", "1.43 MiB", label.split("most ")[1].strip("~"))
    check("complaints of the console", [], browser.complaints())
finally:
    browser.close()
