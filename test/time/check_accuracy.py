#!/usr/bin/env python3
"""check_accuracy.py SCORE OWN EXACT-SCORE EXACT-OWN: is the default clock right?

SCORE and EXACT-SCORE are the documents of two runs of accuracy.c, by the default
clock and with exact_time=1; OWN and EXACT-OWN what the program saw itself.  Prints
a table and exits 1 unless for each cell

    | (default - own) - (exact - own of that run) | <= 0.05 + 100 ns / life,

or the default score is null or says that its error may be greater.  Subtracting
what the program saw leaves out what happened differently in the two runs; 100 ns
are what reading the clock may add to a life, which no stated error covers.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys

LIMIT = 0.05
READING_US = 0.1


def read_scores(path):
    with open(path) as score:
        document = json.load(score)
    return {point["site"]["function"]: point for point in document["points"]
            if point["site"] and point["site"]["function"]}


def read_own(path):
    """For each cell the life its chunks are meant to have, in us, and their mean active share."""
    with open(path) as own:
        return {name: (int(life), float(share)) for name, life, share in map(str.split, own)}


def text(number):
    return "   -  " if number is None else f"{number:6.3f}"


def main():
    scores, own = read_scores(sys.argv[1]), read_own(sys.argv[2])
    exact_scores, exact_own = read_scores(sys.argv[3]), read_own(sys.argv[4])
    faults, known = [], 0
    print(f"{'cell':24} {'default':>7} {'error':>7} {'own':>7} {'exact':>7} "
          f"{'own':>7} {'difference':>11}")
    for name, (life_us, share) in own.items():
        exact_share = exact_own[name][1]
        by_default = scores[name]["scores"]["useful_lifetime"]
        error = scores[name]["scores"]["useful_lifetime_error"]
        exact = exact_scores[name]["scores"]["useful_lifetime"]
        chunks = scores[name]["chunks"], exact_scores[name]["chunks"]
        if chunks[0] != chunks[1]:
            faults.append(f"{name}: {chunks[0]} chunks, but {chunks[1]} exact")
        if exact is None or exact_scores[name]["scores"]["useful_lifetime_error"]:
            faults.append(f"{name}: exact_time=1 is not exact")
            continue
        difference = None
        if by_default is not None:
            difference = (by_default - share) - (exact - exact_share)
        unknown = by_default is None or error > LIMIT
        limit = LIMIT + READING_US / life_us
        known += not unknown
        print(f"{name:24} {text(by_default):>7} {text(error):>7} "
              f"{text(share):>7} {text(exact):>7} {text(exact_share):>7} "
              f"{text(difference):>11}{'  cannot know' if unknown else ''}")
        if not unknown and abs(difference) > limit:
            faults.append(f"{name}: {by_default:.3f} is not {exact:.3f}, though its "
                          f"error should be {error:.3f}")
        # The error is two standard deviations of a sample.
        if difference is not None and abs(difference) > max(limit, 2 * error):
            faults.append(f"{name}: off by {difference:.3f}, far more than it says")
    if not any(point["scores"]["useful_lifetime_error"] for point in scores.values()):
        faults.append("the default clock was exact throughout: nothing was compared")
    if 3 * known < len(own):
        faults.append(f"only {known} of {len(own)} scores are known")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
