"""whole_profile.py - what must hold of the profile, with chunk_log=all, of a real program at its end or at a moment.
Its numbers are those of its chunks, nothing is lost or in error, and its points have names and lines.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "edge", "Inputs"))
import dump_codec
from profile_check import check_scores, check_totals, score


def wrong_with(command, path, ended="exit"):
    """The profile's document, and what is wrong with it, a line each."""
    dump, document = dump_codec.read(path), score(command, path, [])
    wrong = check_totals(dump, document) + check_scores(dump, document)
    # A server that forked says what it then cannot know.
    wrong += [warning for warning in document.warnings if "when it forked" not in warning]
    process, = document.processes
    if not process.complete or process.ended != ended:
        wrong.append("ended: %s" % dict(process))
    if process.invalid_frees or process.failed_requests:
        wrong.append("invalid or failed: %s" % dict(process))
    named = [p for p in document.points
             if p.site and p.site["function"] and
             any(frame["line"] for frame in p.stack)]
    if len(named) < 0.9 * len(document.points):
        wrong.append("%d of %d points are in no known line" %
                     (len(document.points) - len(named), len(document.points)))
    return document, wrong
