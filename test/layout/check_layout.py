#!/usr/bin/env python3
"""check_layout.py ROOT: the rules of the tree that a machine can check (docs/developer.md).

Prints one line for each rule broken and exits 1 if there is any.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import re
import subprocess
import sys

from check_arrows import WINGS

# What the files of a folder may include from other folders of the project.
# Inside its own folder a file includes what it likes.
ARROWS = {
    "llvm-pass": {"runtime/hook_abi.h"},
    "runtime": {"visualizer-data/format/"},
    "visualizer-data": set(),
    "tools": {"visualizer-data/include/", "visualizer-data/format/failure_memory.h",
              "visualizer-data/format/foreign_program.h",
              "visualizer-data/format/meter_record.h"},
}
TOP = {"CMakeLists.txt", "README.md", "LICENSE", ".clang-format", ".clang-tidy",
       ".git-blame-ignore-revs",
       ".editorconfig", ".git-blame-ignore-revs", ".gitignore", ".ci", "docs", "llvm-pass", "runtime",
       "visualizer-data", "tools", "lit", "test"}
SOURCE = (".c", ".h", ".cpp", ".def")
CODE = SOURCE + (".py", ".js", ".sh")
# Files of others that comments speak of.
FOREIGN = {"immintrin.h", "lsan_interface.h", "sanitizer_printf.cpp"}
LINES_MAX = 600
TEST_LINES_MAX = 900
README_LINES_MAX = 12
WALK_MAX = 10  # files of a way through the runtime


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
        for number, line in enumerate(lines, 1):
            if "NOLINT" in line and f.endswith(SOURCE) and not re.search(r"NOLINT(NEXTLINE)?\([\w.-]+\): \w", line):
                yield f"{f}:{number}: NOLINT without a check and a reason"
        # A list has one entry a line.
        most = LINES_MAX if f.split("/")[0] in ARROWS else TEST_LINES_MAX
        if len(lines) > most and not f.endswith("_list.def"):
            yield f"{f}: {len(lines)} lines; look for its second noun"
        if f.split("/")[0] in ARROWS and not any(
                re.fullmatch(r"\W*SPDX-License-Identifier: .*", line) for line in lines[:8]):
            yield f"{f}: no licence line of its own in its first lines"
    for name, where in names.items():
        if len(where) > 1:
            yield f"{name}: more than one file of that name: {' '.join(where)}"


def broken_tags(files, text):
    """One name is one thing in runtime and library, which unit tests compile
    together.  A tag without hp_ in a .c file is that file's own."""
    defined = {}
    for f in files:
        if not f.startswith(("runtime/", "visualizer-data/")) or not f.endswith(SOURCE):
            continue
        code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text[f], flags=re.S)
        for tag in re.findall(r"\b(?:struct|union|enum)\s+(\w+)\s*(?::[^{;()]*)?\{", code):
            if tag.startswith("hp_") or not f.endswith((".c", ".cpp")):
                defined.setdefault(tag, []).append(f)
    for tag, where in defined.items():
        if len(where) > 1:
            yield f"{tag}: defined more than once: {' '.join(where)}"


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


def broken_road(root, files):
    """runtime/README.md names files that are there; each walk it draws has ten
    at most and goes down from wing to wing."""
    path = "runtime/README.md"
    if path not in files:
        return
    with open(os.path.join(root, path), encoding="utf-8") as file:
        readme = file.read()
    for name in re.findall(r"`([a-z_]+/[\w/]+\.\w+)`", readme):
        if "runtime/" + name not in files and name not in files:
            yield f"{path}: names {name}, which is not there"
    wings, walks = WINGS["runtime"], {}
    for names, file in re.findall(r"^\| ([\w, ]+) \| `([\w/]+\.\w+)` \|", readme, re.M):
        for walk in names.split(", "):
            walks.setdefault(walk, []).append(file)
    for walk, steps in walks.items():
        if len(steps) > WALK_MAX:
            yield f"{path}: the walk {walk} has {len(steps)} files"
        ranks = [wings.index(os.path.dirname(step)) for step in steps]
        for step, rank, before in zip(steps[1:], ranks[1:], ranks):
            if rank > before:
                yield f"{path}: the walk {walk} goes up to {step}"


def stale_names(files, text):
    """What a comment names, a file or what begins as our macros, types and functions do, is there."""
    comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
    sources = [f for f in files if f.split("/")[0] in ARROWS and f.endswith(SOURCE)]
    there = {os.path.basename(f) for f in files} | FOREIGN
    words = set(re.findall(r"\w+", " ".join(comment.sub(" ", text[f]) for f in sources)))
    for f in sources:
        for m in comment.finditer(text[f]):
            line = text[f].count("\n", 0, m.start()) + 1
            for name in re.findall(r"(?<![\w./<-])[A-Za-z_]\w*\.(?:c|h|cpp|def|md)\b", m[0]):
                if name not in there:
                    yield f"{f}:{line}: a comment names {name}, which is not there"
            for name in re.findall(r"\b(?:HP|hp)_\w*[A-Za-z0-9]\b(?!_|\*)", m[0]):
                if name not in words:
                    yield f"{f}:{line}: a comment names {name}, which is not there"


def anchors_of(page):
    """The anchors of a page's headings, as they are made where the page is shown."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S), re.M):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower())
        found.add(words.replace(" ", "-"))
    return found


def broken_links(root, files):
    """A relative link leads to a file, or a heading; from README.md links lead to every page in docs/."""
    pages = {f: open(os.path.join(root, f), encoding="utf-8").read()
             for f in files if f.endswith(".md")}
    leads = {}
    for f, page in pages.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(f), path)) if path else f
            if not os.path.exists(os.path.join(root, to)):
                yield f"{f}: the link {link} leads nowhere"
            elif anchor and to in pages and anchor not in anchors_of(pages[to]):
                yield f"{f}: the link {link} leads to no heading"
            leads.setdefault(f, set()).add(to)
    seen, ahead = set(), ["README.md"]
    while ahead:
        f = ahead.pop()
        if f not in seen:
            seen.add(f)
            ahead += leads.get(f, ())
    for f in sorted(pages):
        if f.startswith("docs/") and f not in seen:
            yield f"{f}: no link leads here from README.md"


def broken_commands(root, files):
    """A line of a page that begins with a file of the tree is a command."""
    for page in files:
        if not page.endswith(".md"):
            continue
        lines = open(os.path.join(root, page), encoding="utf-8").read().split("\n")
        for number, line in enumerate(lines, 1):
            command = line.split(" ")[0].removeprefix("./")
            if command in files and not os.access(os.path.join(root, command), os.X_OK):
                yield f"{page}:{number}: {command} cannot be called so: it is not executable"


def main():
    root = sys.argv[1]
    files = tracked(root)
    text = {f: open(os.path.join(root, f), encoding="utf-8").read()
            for f in files if f.endswith(CODE)}
    faults = [*broken_arrows(files, text), *broken_files(files, text),
              *broken_tags(files, text), *broken_readmes(root, set(files)),
              *broken_road(root, set(files)), *stale_names(files, text),
              *broken_links(root, files), *broken_commands(root, set(files))]
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())
