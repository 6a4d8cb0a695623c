"""mutate.py SCORE DUMP - reads every dump that is DUMP with one file cut, one byte changed, or one file gone.
Each is refused by one line and exit code 3, or read with the same result, or with the warning that it is incomplete.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import threading

score, original = sys.argv[1:]
names = sorted(os.path.relpath(os.path.join(folder, name), original)
               for folder, _, found in os.walk(original) for name in found)
bytes_of = {name: open(os.path.join(original, name), "rb").read()
            for name in names}
workers = 2
copies = threading.local()
numbers = iter(range(workers))


def run(dump):
    return subprocess.run([score, "--json", dump], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, check=False)


def document_of(result, dump):
    text = result.stdout.decode().replace(dump, "DUMP")
    return json.loads(text)


def copy():
    """A copy of the dump for this thread."""
    if not hasattr(copies, "path"):
        copies.path = "%s.copy%d" % (original, next(numbers))
        shutil.rmtree(copies.path, ignore_errors=True)
        shutil.copytree(original, copies.path)
    return copies.path


whole = run(original)
assert whole.returncode == 0 and not whole.stderr, whole
expected = document_of(whole, original)
assert expected["processes"][0]["complete"] and not expected["warnings"]


def verdict(name, contents, what):
    dump = copy()
    path = os.path.join(dump, name)
    os.unlink(path)
    if contents is not None:
        with open(path, "wb") as file:
            file.write(contents)
    result = run(dump)
    with open(path, "wb") as file:
        file.write(bytes_of[name])
    lines = result.stderr.decode(errors="replace").splitlines()
    if result.returncode == 3:
        fine = (not result.stdout and len(lines) == 1 and
                lines[0].startswith("heapprof-score: " + dump))
        kind = "refused"
    elif result.returncode == 0 and not lines:
        document = document_of(result, dump)
        incomplete = not document["processes"][0]["complete"]
        fine = document == expected or (
            incomplete and "incomplete" in "".join(document["warnings"]))
        kind = "incomplete" if incomplete else "same"
    else:
        fine, kind = False, ""
    if not fine:
        return "%s: %s: %s" % (name, what, result)
    return kind + " " + name


def mutations():
    for name, contents in bytes_of.items():
        yield name, None, "gone"
        # The symbols are no part of the profile but a cache of names.
        step = 9 if name == "symbols" else 1
        for length in range(0, len(contents), step):
            yield name, contents[:length], "cut at %d" % length
        for at, byte in enumerate(contents):
            if at % step:
                continue
            changed = bytes([byte ^ 1 << at % 8])
            yield (name, contents[:at] + changed + contents[at + 1:],
                   "bit %d of byte %d" % (at % 8, at))
        yield name, contents + b"\0", "a byte more"
        yield name, contents + contents, "twice"
        yield name, bytes(len(contents)), "zeroes"
        other = bytes_of["header" if name != "header" else "end"]
        yield name, other, "another file"


counts, bad = {}, []
with concurrent.futures.ThreadPoolExecutor(workers) as pool:
    for result in pool.map(lambda m: verdict(*m), mutations()):
        if result.split()[0] in ("refused", "incomplete", "same"):
            counts[result] = counts.get(result, 0) + 1
        else:
            bad.append(result)
for result, count in sorted(counts.items()):
    print("%s: %d" % (result, count))
if bad:
    print("%d wrong:" % len(bad))
    sys.exit("\n".join(bad[:20]))
