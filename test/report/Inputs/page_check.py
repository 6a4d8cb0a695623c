# page_check.py - what tests of a page in a browser ask of it: numbers that are the same, and what its address says.
# The first difference is printed and ends the test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
import urllib.parse


def check(what, expected, found):
    if expected != found:
        print(f"{what}: the page has {found!r}, expected {expected!r}")
        sys.exit(1)


def state_of(browser):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(browser.run("return location.href")).fragment))
