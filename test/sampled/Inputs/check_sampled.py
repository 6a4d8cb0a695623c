# check_sampled.py SCORE WHAT DUMP...: holds sampled profiles to what is known of the whole.
# compare SAMPLED FULL: estimates are within 3.5 standard errors; share FULL SAMPLED...: 9 of 10 are within 2;
# same A B: all but times is equal; list DUMP.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

SCORE, WHAT = sys.argv[1:3]
ERRORS = 3.5  # of many points, one in 2000 is beyond


def read(dump, *options):
    out = subprocess.run([SCORE, "--json", "--limit", "0", *options, dump], check=True, capture_output=True).stdout
    return json.loads(out)


def sure_line(frame):
    """A near line depends on the order of the code."""
    return None if frame.get("line_is_near") else frame["line"]


def key(point):
    """Not by addresses, as functions have a form of their own for samples."""
    if "key" in point:
        return point["key"]
    return str(point["type"]), str([(f["function"], sure_line(f), f["column"]) for f in point["stack"]])


def alone(points, of):
    """Those that no other is like."""
    alike = {}
    for point in points:
        alike.setdefault(of(point), []).append(point)
    return {name: them[0] for name, them in alike.items() if len(them) == 1}


def samples(point):
    return point["estimate"]["samples"] if point["estimate"] else 0


def compare(sampled, full, usage_only):
    """Every point of the full run that is large enough to be told from chance."""
    failures = []
    for by in ("point", "function", "type"):
        a, b = read(sampled, "--by", by), read(full, "--by", by)
        estimates = alone(a.get("points", a.get("groups")), key)
        judged = 0
        for name, point in alone(b.get("points", b.get("groups")), key).items():
            estimate = estimates.get(name)
            if not estimate:
                continue  # no sample hit it
            n = samples(estimate)
            if n < 8:
                continue  # the error of an error is as large
            error = estimate["estimate"]["error"]
            judged += 1
            pairs = [("bytes", estimate["bytes"], point["bytes"], error["bytes"])]
            # Of chunks much smaller than those that were hit nothing is known.
            if a["processes"][0]["sampling"]["mode"] == "every" or point["size"]["min"] == point["size"]["max"]:
                pairs.append(("chunks", estimate["chunks"], point["chunks"], error["chunks"]))
            for score in ("usage",) if usage_only else ("usage", "useful_lifetime"):
                x, y = estimate["scores"][score], point["scores"][score]
                if x is not None and y is not None:
                    e = error[score]
                    if score == "useful_lifetime":
                        e += sum(p["scores"][score + "_error"] for p in (estimate, point)) + 0.02
                    pairs.append((score, x, y, e))
            for what, x, y, e in pairs:
                if abs(x - y) > ERRORS * e + 1e-6:
                    failures.append(f"{by} {name!r}: {what} {x} for {y}, error {e}, {n} samples")
        if judged < 1 + (by != "type"):
            failures.append(f"{by}: only {judged} compared")
        process = a["processes"][0]["sampling"]
        if process["requests"] != b["global"]["chunks"] or process["request_bytes"] != b["global"]["bytes"]:
            failures.append(f"exact totals: {process} for {b['global']}")
        if b["processes"][0]["sampling"] is not None:
            failures.append("the full run says that it is sampled")
    return failures


def by_stack(document):
    """A realloc of what was no sample knows no type."""
    return alone(document["points"], lambda point: key(point)[1])


def share(full, runs):
    """Of all points with enough samples in RUNS, each by another seed: how many estimates are within two errors."""
    truth, within, judged = by_stack(read(full)), 0, 0
    for run in runs:
        for stack, point in by_stack(read(run)).items():
            if stack not in truth or samples(point) < 8:
                continue
            error, real = point["estimate"]["error"], truth[stack]
            pairs = [(point[name], real[name], error[name]) for name in ("chunks", "bytes", "peak_bytes")]
            pairs.append((point["scores"]["usage"], real["scores"]["usage"], error["usage"]))
            for x, y, e in pairs:
                judged += 1
                within += abs(x - y) <= 2 * e + 1e-6
    print(f"{within} of {judged} estimates within two standard errors: "
          + ("as stated" if judged >= 50 and 10 * within >= 9 * judged else "too few"))


def shape(document):
    """All that depends neither on time nor on how the program was compiled."""
    points = [(p["type"], [(f["function"], sure_line(f)) for f in p["stack"]],
               p["chunks"], p["bytes"], p["reads"], p["writes"], p["size"], p["scores"]["usage"],
               samples(p), p["live_chunks"]) for p in document["points"]]
    return sorted(points, key=str), document["processes"][0]["sampling"]


def main():
    if WHAT in ("compare", "compare-usage"):
        failures = compare(sys.argv[3], sys.argv[4], WHAT == "compare-usage")
        print("\n".join(failures) or "within the errors")
    elif WHAT == "share":
        share(sys.argv[3], sys.argv[4:])
    elif WHAT == "same":
        a, b = (shape(read(d)) for d in sys.argv[3:5])
        print("the same" if a == b else "not the same")
    else:
        for dump in sys.argv[3:]:
            document = read(dump)
            s = document["processes"][0]["sampling"]
            g = document["global"]
            print(f"mode {s['mode']} interval {s['interval']} seed {s['seed']} requests {s['requests']} "
                  f"bytes {s['request_bytes']}")
            print("samples add up" if s["samples"] == sum(samples(p) for p in document["points"])
                  and g["chunks"] == sum(p["chunks"] for p in document["points"]) else "samples do not add up")


main()
