"""refused.py [--exit-code N] OPTIONS PATTERN PROGRAM - the options end the program before it begins.
Nothing on stdout, one line on stderr that PATTERN matches, and the exit code of a refusal.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import argparse
import os
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--exit-code", type=int, default=1)
parser.add_argument("options")
parser.add_argument("pattern")
parser.add_argument("program")
args = parser.parse_args()

result = subprocess.run([args.program], stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, text=True, check=False,
                        env=dict(os.environ, HEAPPROF_OPTIONS=args.options))
one_line = re.fullmatch(r"==\d+==heapprof: ERROR: ([^\n]*)\n", result.stderr)
if (result.returncode != args.exit_code or result.stdout or not one_line or
        not re.search(args.pattern, one_line[1])):
    sys.exit("%s: %s, expected %r" % (args.options, result, args.pattern))
