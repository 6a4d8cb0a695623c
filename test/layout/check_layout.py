#!/usr/bin/env python3
"""check_layout.py ROOT: the rules of the tree that a machine can check (docs/developer.md).

Prints one line for each rule broken and exits 1 if there is any.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import subprocess
import sys

# What the files of a folder may include from other folders of the project.
# Inside its own folder a file includes what it likes.
ARROWS = {
    "llvm-pass": {"runtime/hook_abi.h"},
    "runtime": {"visualizer-data/format/"},
    "visualizer-data": set(),
    "tools": {"visualizer-data/include/"},
}
TOP = {"CMakeLists.txt", "README.md", "LICENSE", ".clang-format",
       ".git-blame-ignore-revs",
       ".editorconfig", ".git-blame-ignore-revs", ".gitignore", ".ci", "docs", "llvm-pass", "runtime",
       "visualizer-data", "tools", "lit", "test"}
SOURCE = (".c", ".h", ".cpp", ".def")
CODE = SOURCE + (".py", ".js", ".sh")
LINES_MAX = 900
README_LINES_MAX = 12


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True,
                         capture_output=True).stdout.decode()
    return [f for f in out.split("\0") if f and os.path.isfile(os.path.join(root, f))]


def broken_arrows(files, text):
    by_name = {}
    for f in files:
        if f.endswith((".h", ".def")):
            by_name.setdefault(os.path.basename(f), []).append(f)
    for f in files:
        folder = f.split("/")[0]
        if folder not in ARROWS or not f.endswith(SOURCE):
            continue
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', text[f], re.M):
            targets = [t for t in by_name.get(os.path.basename(name), [])
                       if t.endswith(name.lstrip("./"))]
            if not targets or any(t.split("/")[0] == folder for t in targets):
                continue
            if not any(t.startswith(a) for t in targets for a in ARROWS[folder]):
                yield f"{f}: includes {targets[0]}, against the arrows of the tree"


def broken_files(files, text):
    names = {}
    for f in files:
        if f.split("/")[0] not in TOP:
            yield f"{f}: the top level is fixed"
        if f.split("/")[0] in ARROWS and f.endswith(SOURCE):
            names.setdefault(os.path.basename(f), []).append(f)
        if not f.endswith(CODE) or "/programs/" in f:
            continue
        lines = text[f].split("\n")
        # A list has one entry a line.
        if len(lines) > LINES_MAX and not f.endswith("_list.def"):
            yield f"{f}: {len(lines)} lines; look for its second noun"
        if f.split("/")[0] in ARROWS and not any(
                re.fullmatch(r"\W*SPDX-License-Identifier: .*", line) for line in lines[:8]):
            yield f"{f}: no licence line of its own in its first lines"
    for name, where in names.items():
        if len(where) > 1:
            yield f"{name}: more than one file of that name: {' '.join(where)}"


def broken_readmes(root, files):
    """A wing of the runtime says in a few lines what it answers, its rule and
    its files; another code folder's wing may."""
    wings = {}
    for f in files:
        folder, _, name = f.rpartition("/")
        if (f.split("/")[0] in ARROWS and "/" in folder and
                f.endswith(SOURCE) and "/include" not in folder and
                not folder.endswith(("/format", "/standard_library"))):
            wings.setdefault(folder, set()).add(os.path.splitext(name)[0])
    for folder, names in wings.items():
        path = folder + "/README.md"
        if path not in files:
            if folder.startswith("runtime/"):
                yield f"{folder}: has no README.md"
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            readme = file.read()
        if readme.count("\n") > README_LINES_MAX:
            yield f"{path}: more than {README_LINES_MAX} lines"
        if folder.startswith("runtime/"):
            for name in sorted(names):
                if f"`{name}`" not in readme:
                    yield f"{path}: does not name {name}"


def main():
    root = sys.argv[1]
    files = tracked(root)
    text = {f: open(os.path.join(root, f), encoding="utf-8").read()
            for f in files if f.endswith(CODE)}
    faults = [*broken_arrows(files, text), *broken_files(files, text),
              *broken_readmes(root, set(files))]
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
