"""result_kept.py [--silent] [--cwd DIR] OPTIONS PATTERN PROGRAM [ARG...] - runs Inputs/steady.c's program under OPTIONS.
Its stdout and exit code must be as ever, and stderr one line that PATTERN matches (--silent: nothing).
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import argparse
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--silent", action="store_true")
parser.add_argument("--cwd")
parser.add_argument("--limit", help="a ulimit command to run first")
parser.add_argument("options")
parser.add_argument("pattern")
parser.add_argument("command", nargs=argparse.REMAINDER)
args = parser.parse_args()

command = args.command
if args.limit:
    command = ["bash", "-c", args.limit + ' && exec "$@"', "-"] + command
environment = dict(os.environ, HEAPPROF_OPTIONS=args.options)
result = subprocess.run(command, env=environment, cwd=args.cwd, timeout=120,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        check=False)
said = result.stderr.decode(errors="replace")
wrong = []
if result.stdout != b"steady\n":
    wrong.append("stdout is %r" % result.stdout)
if result.returncode != 7:
    wrong.append("exit code is %d" % result.returncode)
if args.silent and said:
    wrong.append("stderr is not empty")
if not args.silent:
    if said.count("\n") != 1 or not said.endswith("\n"):
        wrong.append("stderr is not one line")
    if not re.match(r"==\d+==heapprof: ", said):
        wrong.append("stderr does not say who speaks")
    if not re.search(args.pattern, said):
        wrong.append("stderr lacks %r" % args.pattern)
if wrong:
    sys.exit("%s\n%s\nstderr: %s" % (args.options, "\n".join(wrong), said))
