# generations.py HEAPPROF-SCORE DUMP - each number of --by generation is that of the set born(a..b), born(a..b) & live_at(c).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys

score, dump = sys.argv[1:]


def ask(*options):
    return json.loads(subprocess.run([score, "--json", "--no-cache", *options, dump], check=True, capture_output=True).stdout)


def compare(found, text):
    own = ask("--filter", text)["set"]
    assert (found["chunks"], found["bytes"]) == (own["chunks"], own["bytes"]), (text, found, own)


def instant(name, other):
    return other if name is None else f'"{name}"'


(process,) = ask("--by", "generation")["generations"]
generations = process["generations"]
assert not process["estimated"] and [g["to"] for g in generations] == ["loaded", "asked", "the last one", None]
for g, generation in enumerate(generations):
    born = f'born({instant(generation["from"], "start")}..{instant(generation["to"], "end")})'
    compare(generation, born)
    assert [at["at"] for at in generation["live"]] == [other["to"] for other in generations[g:]]
    assert generation["live"][0]["at_ns"] == generation["to_ns"] >= generation["from_ns"]
    for at in generation["live"]:
        compare(at, f'{born} & live_at({instant(at["at"], "end")})')
assert sum(g["chunks"] for g in generations) == ask()["global"]["chunks"]
