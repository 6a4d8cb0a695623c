# use_speedscope.py SPEEDSCOPE FILE - opens FILE in speedscope, in a headless browser, and prints its tables: profiles, functions.
# The first line is the page's title, which names the profile once it was read.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import base64
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "report", "Inputs"))
import webdriver

speedscope, file = map(os.path.abspath, sys.argv[1:])
# A page of file:// may read no other file, but it may run one.
script = file + ".js"
with open(file, "rb") as source, open(script, "w") as target:
    target.write(f'speedscope.loadFileFromBase64("exported", "{base64.b64encode(source.read()).decode()}")')

browser = webdriver.Browser()


def wait_for(what, script):
    until = time.monotonic() + webdriver.PATIENCE
    while not (found := browser.run(script)):
        if time.monotonic() > until:
            sys.exit(f"use_speedscope.py: waited in vain for the {what}")
        time.sleep(0.1)
    return found


try:
    browser.open(f"file://{speedscope}/dist/release/index.html#localProfilePath={script}")
    print(wait_for("profile", "return / - speedscope$/.test(document.title) && document.title"))
    print("\n".join(wait_for("table of functions", r"""
        window.dispatchEvent(new KeyboardEvent('keypress', {key: '3'}));
        const rows = [...document.querySelectorAll('tr')].map((row) => row.innerText.replace(/\s+/g, ' '));
        return rows.some((row) => row.startsWith('Total ')) && rows.at(-1).includes('%') && rows""")))
finally:
    browser.close()
