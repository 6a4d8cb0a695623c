#!/usr/bin/env python3
# test-count.py RESULTS... - adds up ctest.xml and lit's JSON files of each directory.
# Prints what failed and "N passed, N failed"; exits 1 if something failed or nothing ran.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import pathlib
import sys
import xml.etree.ElementTree

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit_results(path):
    """(name, outcome) of each lit test: True, False, or None if not run."""
    with open(path) as text:
        for test in json.load(text)["tests"]:
            code = test["code"]
            yield test["name"], None if code in NOT_RUN else code in PASSED


def ctest_results(directory):
    """(name, outcome) of each test; a lit directory counts test by test."""
    cases = xml.etree.ElementTree.parse(directory / "ctest.xml").getroot()
    for case in cases.iter("testcase"):
        name, status = case.get("name"), case.get("status")
        details = directory / (name.removeprefix("lit-") + ".json")
        if name.startswith("lit-") and details.exists():
            yield from lit_results(details)
            if status == "run":
                continue
            if any(outcome is False for _, outcome in lit_results(details)):
                continue  # the failure is counted above
        outcome = {"run": True, "disabled": None, "notrun": False}
        yield name, outcome.get(status, False)


def main(directories):
    passed, failed, not_run = 0, [], 0
    for directory in map(pathlib.Path, directories):
        if not (directory / "ctest.xml").exists():
            failed.append(f"{directory}: ctest wrote no results")
            continue
        for name, outcome in ctest_results(directory):
            if outcome is None:
                not_run += 1
            elif outcome:
                passed += 1
            else:
                failed.append(f"{directory.parts[-3]}: {name}")
    for name in failed:
        print("failed:", name)
    if not_run:
        print(f"{not_run} not run: not for this LLVM version or this machine")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))
