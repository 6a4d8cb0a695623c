"""first_half.py PLACES - whether functions lie in the first half of a section, nine of ten of them: lines `begin HEX`, `size HEX`
of the section, and `NAME HEX` of each function (text-order.test).
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.split() for line in file]
section = {name: int(value, 16) for name, value in lines[:2]}
places = [int(value, 16) - section["begin"] for _, value in lines[2:]]
first = sum(0 <= place < section["size"] // 2 for place in places)
print(f"{first} of {len(places)} functions lie in the first half")
sys.exit(len(places) < 500 or first < len(places) * 0.9)
