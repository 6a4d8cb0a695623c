#!/usr/bin/env python3
"""check_score.py SCORE OWN exact|known|unknown|honest: the useful lifetime of the point in main().

OWN holds what the program saw itself.  Always: the score is that, within 0.05
or twice the error it states, or it is null.  Besides:
  exact    it states no error     known    an error of at most 0.05
  unknown  a greater error, or it is null
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys

LIMIT = 0.05


def main():
    score_path, own_path, wanted = sys.argv[1:]
    with open(score_path) as score:
        points = json.load(score)["points"]
    with open(own_path) as own:
        seen = float(own.read())
    scores = next(p["scores"] for p in points
                  if p["site"] and p["site"]["function"] == "main")
    score, error = scores["useful_lifetime"], scores["useful_lifetime_error"]
    print(f"score {score}, error {error}, seen by the program {seen}; {wanted}?")
    if score is None:
        return 0 if wanted in ("unknown", "honest") else 1
    right = {"exact": error == 0, "known": error <= LIMIT,
             "unknown": error > LIMIT, "honest": True}[wanted]
    return 0 if right and abs(score - seen) <= max(LIMIT, 2 * error) else 1


if __name__ == "__main__":
    sys.exit(main())
