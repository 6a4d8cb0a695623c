# moment.py SCORE DUMP... - the points' numbers are the sums of the chunks in the log of the same dump.
# With chunk_log=all both are exact, so they are equal.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "edge", "Inputs"))
import dump_codec
from profile_check import check_totals, score

for path in sys.argv[2:]:
    wrong = check_totals(dump_codec.read(path), score(sys.argv[1], path, []))
    if wrong:
        sys.exit("%s: %s" % (path, "\n".join(wrong)))
