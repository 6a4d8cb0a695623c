#!/usr/bin/env python3
"""check_stopped.py SCORE OWN: is the score of stopped.c what it saw itself, within the error it states?

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys


def main():
    with open(sys.argv[1]) as score:
        points = json.load(score)["points"]
    with open(sys.argv[2]) as own:
        seen = float(own.read())
    scores = next(p["scores"] for p in points
                  if p["site"] and p["site"]["function"] == "main")
    score, error = scores["useful_lifetime"], scores["useful_lifetime_error"]
    print(f"score {score}, error {error}, seen by the program {seen}")
    return 0 if score is None or abs(score - seen) <= max(0.05, 2 * error) else 1


if __name__ == "__main__":
    sys.exit(main())
