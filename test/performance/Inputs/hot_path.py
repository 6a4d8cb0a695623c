"""hot_path.py ASM SOURCE FUNCTION COUNTER - finds the shortest ways through FUNCTION in a disassembly; SOURCE states the budget.
Usual: to return past a step of the counter at offset COUNTER of the record; not heap: past none. COUNTER -: any way.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import collections
import os
import re
import sys


def instructions(path, function):
    """{address: (mnemonic, operands)} of FUNCTION, in order."""
    found, inside = {}, False
    with open(path, encoding="utf-8") as file:
        for line in file:
            heading = re.match(r"[0-9a-f]+ <(.*)>:", line)
            if heading:
                inside = heading.group(1) == function
            match = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*([^#\n]*)", line)
            if inside and match:
                found[int(match.group(1), 16)] = match.group(2, 3)
    if not found:
        sys.exit(f"{function}: not in the disassembly")
    return found


def shortest(code, counter):
    """Instructions of the shortest way that steps COUNTER (None: that steps
    nothing) without a call or anything locked; None if there is no such way."""
    addresses = list(code)
    following = dict(zip(addresses, addresses[1:]))
    step = re.compile(r"(0x[0-9a-f]+)?\(%r\w+(,%r\w+)?\)")
    queue = collections.deque([(addresses[0], False, 1)])
    seen = set()
    while queue:
        at, stepped, length = queue.popleft()
        if at not in code or (at, stepped) in seen:
            continue
        seen.add((at, stepped))
        name, operands = code[at]
        if name.startswith(("call", "lock", "xchg")):
            continue
        if name.startswith("ret"):
            if stepped == (counter is not None):
                return length
            continue
        # A counter is stepped by one instruction, for signal handlers' sake.
        if name in ("incq", "addq") and step.search(operands) and (
                counter is not None):
            where = step.search(operands).group(1)
            if int(where or "0", 16) == counter and (
                    name == "incq" or operands.startswith(("$", "%"))):
                stepped = True
        if name.startswith("j"):
            queue.append((int(operands.split()[0], 16), stepped, length + 1))
        if name != "jmp" and at in following:
            queue.append((following[at], stepped, length + 1))
    return None


def main():
    asm, source, function, counter = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        text = re.sub(r"\s+", " ", file.read())
    budgets = [int(number) for number in
               re.findall(r"at most (\d+) instructions", text)]
    ways = [("shortest", None, "")] if counter == "-" else [
        ("usual", int(counter),
         f" past a step of the counter at {int(counter):#x}"),
        ("not heap", None, " past nothing")]
    if len(budgets) != len(ways):
        sys.exit(f"{source}: must say {len(ways)} times: at most N "
                 "instructions")
    code = instructions(asm, function)
    for (name, step, what), budget in zip(ways, budgets):
        length = shortest(code, step)
        if length is None:
            sys.exit(f"{function}: no way without call and lock from entry to "
                     f"return{what}")
        if length > budget:
            sys.exit(f"{function}: {length} instructions, but "
                     f"{os.path.basename(source)} allows "
                     f"{budget}")
        print(f"{name}: {length} instructions of at most {budget}")


main()
