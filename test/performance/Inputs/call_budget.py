"""call_budget.py COUNTED SOURCE FUNCTION CALLS - compares what count_instructions said of windows of CALLS with a budget.
The budget is a line of SOURCE: "FUNCTION: at most N instructions".
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import re
import sys


def search(path, pattern, otherwise):
    with open(path, encoding="utf-8") as file:
        found = re.search(pattern, file.read())
    if not found:
        sys.exit(otherwise)
    return int(found.group(1))


def main():
    counted, source, function, calls = sys.argv[1:]
    least = search(counted, r"windows: at least (\d+) instructions",
                   f"{counted}: says of no window how many instructions it "
                   "took")
    budget = search(source,
                    rf"\b{function}: at most (\d+) instructions\b",
                    f"no budget of {function} in {source}")
    each = least // int(calls)
    if each > budget:
        sys.exit(f"{function}: {each} instructions, but {source} allows "
                 f"{budget}")
    print(f"{function}: {each} instructions of at most {budget}")


main()
