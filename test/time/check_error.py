#!/usr/bin/env python3
"""check_error.py SCORE WORK DUMP...: does the useful-lifetime score state its error?  In one run, not in two.

Two runs of a program differ by more than their clocks.  So DUMP is of one run with
exact_time=1:chunk_log=all, which knows the truth; from its chunks dumps are made as
the default clock would have noted the same run, with other coarse steps and other
chunks chosen each time, and heapprof-score reads them.  Prints for how many points
the truth was beyond the stated error, by the size of the sample, and exits 1 if
there were more than 1 in 20: the error is one of two standard deviations.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import collections
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "edge", "Inputs"))
import dump_codec
from profile_check import score

# As the runtime has them: chunks of a point that read the clock, one of how many
# behind them, and for how many steps of the coarse clock: fewer with many accesses,
# and fewer still for the first ones.
FIRST, ONE_IN, EXACT_STEPS = 64, 32, 32
BUSY_STEPS, BUSY_STEPS_FIRST, BUSY_ACCESSES = 8, 2, 16384
# As the library: chunks of so many steps are known without.
KNOWN_STEPS = 20
STEPS_US = 500, 5000
TRIES = 8
WIDE = 0.05


def exact_steps(chunk, is_chosen):
    """For how many steps CHUNK reads the clock, at least."""
    accesses = max(1, chunk.reads + chunk.writes)
    if is_chosen:
        return BUSY_STEPS if accesses >= BUSY_ACCESSES else EXACT_STEPS
    return min(EXACT_STEPS, max(BUSY_STEPS_FIRST, BUSY_ACCESSES / accesses))


def coarse(chunk, step, phase, is_first, is_chosen):
    """CHUNK as the default clock notes it, steps at PHASE and every STEP."""
    noted = dict(chunk, step=step)
    flags = set(chunk.flags) - {"EXACT", "AGED"}
    steps = exact_steps(chunk, is_chosen) if is_first or is_chosen else 0
    if "REALLOC" in flags:
        flags.add("EXACT")
    elif steps and chunk.last - chunk.t0 <= steps * step:
        flags.add("EXACT")
    else:
        if steps:
            flags.add("AGED")
        seen = (chunk.last - phase) // step * step + phase
        noted["last"] = max(chunk.first, seen)
    noted["flags"] = flags
    return noted


def sample_size(chunks):
    behind = [c for c in chunks[FIRST:] if c["flags"] & {"EXACT", "AGED"}
              and "REALLOC" not in c["flags"] and c["reads"] + c["writes"]
              and c["t1"] - c["t0"] < KNOWN_STEPS * c["step"]]
    return len(behind)


def main():
    command, work, dumps = sys.argv[1], sys.argv[2], sys.argv[3:]
    judged, beyond, wide = (collections.Counter() for _ in range(3))
    rng = random.Random(1)
    for path in dumps:
        exact, dump = score(command, path, ["--limit", "0"]), dump_codec.read(path)
        truth = {p.id: p.scores.useful_lifetime for p in exact.points}
        chunks = collections.defaultdict(list)
        for chunk in sorted(dump.chunks, key=lambda c: (c.t0, c.thread)):
            assert chunk.flags & {"EXACT"} and chunk.weight == 1, "not exact_time=1:chunk_log=all"
            chunks[chunk.point].append(chunk)
        # Up to the first ones nothing is unknown.
        points = sorted(point for point in chunks if len(chunks[point]) > FIRST)
        for us in STEPS_US * TRIES if points else ():
            step = us * dump.header.ticks_per_second // 1000000
            made = []
            for point in points:
                phase = rng.randrange(step)
                made.append([coarse(chunk, step, phase,
                                    i < FIRST, rng.randrange(ONE_IN) == 0)
                             for i, chunk in enumerate(chunks[point])])
            shutil.rmtree(work, ignore_errors=True)
            dump_codec.write(work, made, end=dump.end.end,
                             ticks_per_second=dump.header.ticks_per_second)
            for point in score(command, work, ["--limit", "0"]).points:
                stated, error = (point.scores[name] for name in (
                    "useful_lifetime", "useful_lifetime_error"))
                if not error:
                    continue
                size = sample_size(made[point.id - 1]).bit_length()
                judged[size] += 1
                wide[size] += stated is None or error > WIDE
                beyond[size] += stated is not None and \
                    abs(stated - truth[points[point.id - 1]]) > error + 1e-6
    for size in sorted(judged):
        least, most = (1 << size) // 2, (1 << size) - 1
        print(f"samples {least:5} to {most:5}: {judged[size]:5} scores, "
              f"{beyond[size]:4} beyond their error, {wide[size]:5} say that they may be off by more than {WIDE}")
    count, failed = judged.total(), beyond.total()
    print(f"{count} scores with an error, {failed} beyond it")
    return count == 0 or 20 * failed > count


if __name__ == "__main__":
    sys.exit(main())
