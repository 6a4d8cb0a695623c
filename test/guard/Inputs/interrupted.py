"""interrupted.py - three programs are judged, and SIGTERM comes once the first one is: what is told of them?
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import signal
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir))
from judging import NOT_RUN, Tally, judged

sent = threading.Event()


def judge(program):
    if program != "first":
        sent.wait()
    if program == "second":
        raise FileNotFoundError(program)
    return "same"


tally = Tally()
for name, kind in judged(["first", "second", "third"], judge):
    tally.add(kind or NOT_RUN)
    if name == "first":
        print(f"{name}: {kind}", flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
        sent.set()
print(tally)
sys.exit(tally.failed())
