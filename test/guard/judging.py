"""judging.py - judges many programs side by side and counts what became of them, up to an interrupt.
Used by same_behaviour.py and same_counts.py.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import collections
import concurrent.futures
import os
import signal
import threading

DIFFERENT = "DIFFERENT"
NOT_RUN = "not run"


def judged(programs, judge):
    """Yields each program and what judge(program) returns, in their order.

    After SIGINT or SIGTERM no further one is begun: a whole suite takes hours on a busy machine, and what was found until
    then is worth telling.  What ends later has None for a result, as the compiler may have had that signal, too.
    """
    interrupted = threading.Event()

    def judge_in_time(program):
        try:
            result = None if interrupted.is_set() else judge(program)
        except OSError:  # what the compiler did not come to write is not there
            if not interrupted.is_set():
                raise
        return None if interrupted.is_set() else result

    before = {number: signal.signal(number, lambda *_: interrupted.set())
              for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            yield from zip(programs, pool.map(judge_in_time, programs))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Tally:
    """How many programs ended in which way."""

    def __init__(self):
        self._counts = collections.Counter()

    def add(self, kind):
        self._counts[kind] += 1

    def __str__(self):
        return ", ".join(f"{count} {kind}" for kind, count in sorted(
            self._counts.items(), key=lambda item: -item[1]))

    def failed(self):
        """Something differs, or nothing was compared."""
        return self._counts[DIFFERENT] != 0 or not self._counts["same"]
