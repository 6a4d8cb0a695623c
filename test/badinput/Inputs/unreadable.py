"""unreadable.py SCORE PATTERN DUMP... - heapprof-score refuses DUMP: exit code 3, one line that PATTERN matches.
In every form of output, with nothing on stdout.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import re
import subprocess
import sys

score, pattern, *dumps = sys.argv[1:]
for form in ([], ["--json"], ["--csv"], ["--stacks", "--no-symbols"]):
    result = subprocess.run([score, *form, *dumps], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False,
                            timeout=300, stdin=subprocess.DEVNULL)
    if (result.returncode != 3 or result.stdout or
            not re.fullmatch(r"heapprof-score: [^\n]+\n", result.stderr) or
            not re.search(pattern, result.stderr)):
        sys.exit("%s, expected %r" % (result, pattern))
