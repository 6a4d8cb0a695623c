#!/usr/bin/env python3
# test-count.py RESULTS... - adds up ctest.xml and lit's JSON files of each directory.
# Prints what failed or needed a second try, and "N passed, N failed"; exits 1 if something failed or nothing ran.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import pathlib
import sys
import xml.etree.ElementTree

SECOND_TRY = "FLAKYPASS"
PASSED = {"PASS", "XFAIL", SECOND_TRY}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit_results(path):
    """(name, lit's result code) of each lit test."""
    with open(path) as text:
        return [(test["name"], test["code"]) for test in json.load(text)["tests"]]


def ctest_results(directory):
    """(name, result code) of each test; a lit directory counts test by test."""
    cases = xml.etree.ElementTree.parse(directory / "ctest.xml").getroot()
    for case in cases.iter("testcase"):
        name, status = case.get("name"), case.get("status")
        details = directory / (name.removeprefix("lit-") + ".json")
        if name.startswith("lit-") and details.exists():
            tests = lit_results(details)
            yield from tests
            # A failure of lit is one of its tests', and if not, its own.
            if status == "run" or any(code not in PASSED | NOT_RUN for _, code in tests):
                continue
        yield name, {"run": "PASS", "disabled": "SKIPPED"}.get(status, "FAIL")


def main(directories):
    passed, failed, second_try, not_run = 0, [], [], 0
    for directory in map(pathlib.Path, directories):
        tree = directory.parts[-3]
        if not (directory / "ctest.xml").exists():
            failed.append(f"{directory}: ctest wrote no results")
            continue
        for name, code in ctest_results(directory):
            not_run += code in NOT_RUN
            passed += code in PASSED
            if code == SECOND_TRY:
                second_try.append(f"{tree}: {name}")
            elif code not in PASSED | NOT_RUN:
                failed.append(f"{tree}: {name}")
    for name in second_try:
        print("passed at the second try only:", name)
    for name in failed:
        print("failed:", name)
    if not_run:
        print(f"{not_run} not run: not for this LLVM version or this machine")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))
