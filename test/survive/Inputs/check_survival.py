# check_survival.py SCORE DUMP-DIR PLAIN PROFILED [OPTION=VALUE...] -- [ARG...] - runs a program plain and profiled.
# Both must end alike: stdout, exit status or signal; then the dumps must be what the options before "--" say.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ended=TEXT        how the process ended, by its dump; of several processes, joined by "," and sorted
# allocations=N     of all processes together; N+ is at least N
# stderr=REGEX      one line that the profiled run writes; else none
# stderr?=REGEX     the same, or none
# opts=TEXT         more HEAPPROF_OPTIONS
# unread            the dumps are not looked at
import json
import os
import re
import shutil
import signal
import subprocess
import sys


def fail(text):
    sys.exit("check_survival.py: " + text)


def as_from_a_terminal():
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def run(program, args, environment):
    done = subprocess.run([program] + args, env=environment, stdin=subprocess.DEVNULL,
                          preexec_fn=as_from_a_terminal,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace").splitlines()


score, dump_dir, plain, profiled = sys.argv[1:5]
middle = sys.argv.index("--")
wanted = dict(word.partition("=")[::2] for word in sys.argv[5:middle])
args = sys.argv[middle + 1:]

shutil.rmtree(dump_dir, ignore_errors=True)
os.mkdir(dump_dir)
environment = dict(os.environ, DUMP_DIR=dump_dir)
expected = run(plain, args, environment)
if os.path.isdir(dump_dir):
    shutil.rmtree(dump_dir)
os.mkdir(dump_dir)
environment["HEAPPROF_OPTIONS"] = "dump_dir='%s':%s" % (dump_dir, wanted.get("opts", ""))
found = run(profiled, args, environment)
if found[:2] != expected[:2]:
    fail("%s: plain %r, profiled %r" % (args, expected, found))
ours = [line for line in found[2] if "heapprof" in line]
if "stderr" in wanted:
    if len(ours) != 1 or not re.search(wanted["stderr"], ours[0]):
        fail("%s: stderr %r" % (args, ours))
elif "stderr?" in wanted:
    if len(ours) > 1 or (ours and not re.search(wanted["stderr?"], ours[0])):
        fail("%s: stderr %r" % (args, ours))
elif ours:
    fail("%s: stderr %r" % (args, ours))

if "unread" in wanted:
    sys.exit(0)
text = subprocess.run([score, "--json", dump_dir], stdout=subprocess.PIPE, check=False).stdout
if not text:
    fail("%s: no dump that can be read" % args)
processes = json.loads(text)["processes"]
ended = ",".join(sorted(p["ended"] for p in processes))
if ended != wanted.get("ended", "exit"):
    fail("%s: ended %s" % (args, ended))
total = sum(p["allocations"] for p in processes)
number = wanted.get("allocations", "0+")
if total < int(number[:-1]) if number.endswith("+") else total != int(number):
    fail("%s: %d allocations" % (args, total))
for process in processes:
    if not process["complete"] and "killed" not in wanted.get("ended", ""):
        fail("%s: incomplete" % args)
