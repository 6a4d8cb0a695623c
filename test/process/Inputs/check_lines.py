"""check_lines.py COUNT: so many lines "RSS 12 MiB = live 3 + ...", which may be wrapped, each of which adds up.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import re
import sys

text = re.sub(r"\s+", " ", sys.stdin.read())
lines = re.findall(r"RSS (\d+) [KMGT]iB = ([^()]*)\(", text)
assert len(lines) == int(sys.argv[1]), text
for whole, parts in lines:
    assert sum(int(part.split()[-1]) for part in parts.split("+")) == int(whole), (whole, parts)
