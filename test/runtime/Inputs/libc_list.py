"""libc_list.py - holds the list of libc's functions against libc's headers:
libc_list.py LIST SYMBOLS CLANG fails where a function that takes a pointer is in
a header and in libc, and not in the list; where one that is said to be counted
is not among the runtime's symbols; where one is listed twice or behind a greater name.
With --write it puts in new ones and sets what is counted.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import os
import re
import subprocess
import sys

REASONS = ("counted", "compiler", "parts", "file", "opaque", "address", "jump", "system", "error",
           "alias", "open")


def headers():
    """Public headers of libc: those that neither need another nor are Linux's."""
    skipped = {"sys/elf.h", "sys/vm86.h", "regexp.h", "sys/perm.h"}
    found = []
    for root in ("/usr/include", "/usr/include/x86_64-linux-gnu"):
        for folder in ("", "arpa", "net", "netinet", "netpacket", "protocols",
                       "rpc", "sys"):
            path = os.path.join(root, folder)
            for name in sorted(os.listdir(path)) if os.path.isdir(path) else ():
                if name.endswith(".h"):
                    found.append(os.path.join(folder, name))
    packages = subprocess.run(["dpkg", "-L", "libc6-dev"], text=True,
                              capture_output=True, check=True).stdout.split()
    owned = {re.sub(r"^/usr/include/(x86_64-linux-gnu/)?", "", x)
             for x in packages}
    return [x for x in found if x in owned and x not in skipped]


def declared(clang):
    """Names of all functions that take a pointer or a list."""
    source = "".join("#include <%s>\n" % x for x in headers())
    names = set()
    for options in ([], ["-O2", "-D_FORTIFY_SOURCE=2"]):
        tree = json.loads(subprocess.run(
            [clang, "-D_GNU_SOURCE", "-fsyntax-only", "-w", "-x", "c", "-Xclang",
             "-ast-dump=json", *options, "-"], input=source, text=True,
            capture_output=True).stdout)
        for one in tree["inner"]:
            if one.get("kind") != "FunctionDecl" or "name" not in one:
                continue
            kind = one["type"]["qualType"]
            if re.search(r"\*|\[|\.\.\.|va_list|SOCKADDR|ENTRY", kind[kind.index("("):]):
                names.add(one["name"])
    return names


def defined():
    names = set()
    for library in ("libc.so.6", "libm.so.6", "libresolv.so.2"):
        lines = subprocess.run(
            ["nm", "-D", "--defined-only", "/lib/x86_64-linux-gnu/" + library],
            text=True, capture_output=True, check=True).stdout.splitlines()
        names |= {x.split()[-1].split("@")[0] for x in lines}
    return names


def main():
    write = "--write" in sys.argv
    path, symbols, clang = [x for x in sys.argv[1:] if x != "--write"]
    listed, faults = {}, []
    for line in open(path):
        entry = re.match(r"HP_LIBC_FUNCTION\((\w+), (\w+)\)$", line)
        if not entry:
            if line.strip() and not line.startswith("//"):
                faults.append("%s: no entry" % line.strip())
            continue
        name, reason = entry.groups()
        if listed and name <= last:
            faults.append("%s: listed twice, or behind %s" % (name, last))
        if reason not in REASONS:
            faults.append("%s: no such reason" % line.strip())
        listed[name] = reason
        last = name
    counted = set(re.findall(r"^  (\w+);$", open(symbols).read(), re.M))
    wanted = declared(clang) & defined()
    for name in sorted(wanted - set(listed)):
        faults.append("%s: in libc's headers, not in the list" % name)
    for name, reason in sorted(listed.items()):
        # The runtime has clone for its locks, and counts nothing there.
        if reason not in ("compiler", "jump") and (reason == "counted") != (name in counted):
            faults.append("%s: listed as %s" % (name, reason))
    if write:
        for name in wanted - set(listed):
            listed[name] = "open"
        for name in listed:
            if listed[name] not in ("system", "jump") and (listed[name] == "counted") != (name in counted):
                listed[name] = "counted" if name in counted else "open"
        head = [x for x in open(path) if not x.startswith("HP_LIBC_FUNCTION")]
        with open(path, "w") as file:
            file.writelines(head)
            for name, reason in sorted(listed.items()):
                file.write("HP_LIBC_FUNCTION(%s, %s)\n" % (name, reason))
        return
    print("\n".join(faults) or "%d functions" % len(listed))
    sys.exit(bool(faults))


main()
