"""profile_check.py - what must hold of every profile, whatever the program.
heapprof-score's document is compared with the dump's files as dump_codec.py reads them.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import subprocess
import sys

import dump_codec
from dump_codec import Record

MAX = 2**64 - 1


def refuse(constant):
    raise ValueError("%s in the JSON document" % constant)


def score(command, path, options):
    result = subprocess.run([command, "--json", *options, path],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, check=False)
    if result.returncode or result.stderr:
        sys.exit("heapprof-score %s: exit code %d\n%s" %
                 (path, result.returncode, result.stderr))
    return json.loads(result.stdout, object_pairs_hook=Record,
                      parse_constant=refuse)


def lasts(a, b):
    return max(1, b - a)


def lifetime_score(chunks, window):
    """S_l of one point's chunks, as metrics.md has it."""
    gap = window // 1000
    groups = []
    for chunk in sorted(chunks, key=lambda c: (c.t0, c.thread)):
        if not groups or chunk.t0 - groups[-1][-1].t0 > gap:
            groups.append([])
        groups[-1].append(chunk)
    if not groups:
        return None
    return sum(sum(lasts(c.t0, c.t1) for c in group) /
               (len(group) * lasts(group[0].t0, max(c.t1 for c in group)))
               for group in groups) / len(groups)


def usage_score(chunks):
    """S_u of one point's chunks."""
    size = sum(c.size for c in chunks)
    used = sum(c.hi - c.lo for c in chunks
               if c.reads and (c.writes or "ZEROED" in c.flags))
    return used / size if size else None


def same(a, b):
    return a is b is None or None not in (a, b) and abs(a - b) < 1e-6


def check_scores(dump, document):
    """Points whose scores are not those of their chunks."""
    chunks = {}
    for chunk in dump.chunks:
        chunks.setdefault(chunk.point, []).append(chunk)
    wrong = []
    for point in document.points:
        own = chunks.get(point.id, [])
        scores = point.scores
        usage = usage_score(own) if point.accesses_known else None
        if (not same(scores.usage, usage) or
                not same(scores.lifetime,
                         lifetime_score(own, dump.end.end)) or
                point.chunks != len(own)):
            wrong.append("point %d: %d chunks, lifetime %s, usage %s of %s" %
                         (point.id, len(own),
                          lifetime_score(own, dump.end.end),
                          usage, dict(point)))
    return wrong


def check_totals(dump, document):
    """What does not hold of this dump and its document, a line each."""
    chunks, end = dump.chunks, dump.end
    live = [c for c in chunks if "LIVE" in c.flags]
    equal = [
        ("allocations", end.allocations, len(chunks)),
        ("frees", end.frees, len(chunks) - len(live)),
        ("points", document["global"].chunks, len(chunks)),
        ("bytes", document["global"].bytes, sum(c.size for c in chunks)),
        ("chunks of points", sum(p.chunks for p in document.points),
         len(chunks)),
        ("reads", min(MAX, sum(p.reads for p in document.points)),
         min(MAX, sum(c.reads for c in chunks))),
        ("writes", min(MAX, sum(p.writes for p in document.points)),
         min(MAX, sum(c.writes for c in chunks))),
        ("live bytes", sum(p.live_bytes for p in document.points),
         sum(c.size for c in live)),
        ("lost chunks", end.dropped_chunks + end.dropped_points, 0),
    ]
    if end.threads == 1:  # else two clocks may disagree about the order
        equal.append(("peak", end.peak_bytes, dump_codec.peak_of(chunks)))
    wrong = ["%s: %d is not %d" % row for row in equal if row[1] != row[2]]
    wrong += ["chunk outside its interval: %s" % c for c in chunks
              if not 0 <= c.lo <= c.hi <= c.size]
    wrong += ["accessed at no time of its life: %s" % c for c in chunks
              if (c.reads or c.writes) and
              not c.t0 <= c.first <= c.last + end.tick_max]
    return wrong
