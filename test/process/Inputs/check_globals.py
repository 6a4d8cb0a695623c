"""check_globals.py DOCUMENT PROGRAM: variables and stacks of globals.c.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"""
import json
import sys

KIB, MIB = 1024, 1024 * 1024

with open(sys.argv[1]) as file:
    document = json.load(file)
(process,) = document["processes"]
modules = {m["module"].rsplit("/", 1)[-1]: m for m in document["globals"]}
end = process["process_memory"]["end"]
assert sum(m["resident_bytes"] for m in modules.values()) == end["global_bytes"], (modules, end)

program, library = modules[sys.argv[2]], modules["liblibrary.so"]
variables = {v["name"]: v for v in program["variables"]}
assert (variables["half"]["bytes"], variables["half"]["resident_bytes"]) == (16 * MIB, 4 * MIB), variables["half"]
assert variables["local"] == {"name": "local", "thread_local": True, "bytes": 20000, "resident_bytes": None}, variables["local"]
assert "constant" not in variables and "hp_heap_masks" not in variables, list(variables)
assert program["thread_local_bytes"] >= 20000, program["thread_local_bytes"]
(array,) = [v for v in library["variables"] if v["name"] == "in_library"]
assert array["bytes"] == 3 * MIB and 4 * KIB <= array["resident_bytes"] <= 8 * KIB, array
for module in modules.values():
    assert module["resident_bytes"] <= module["bytes"], module
    assert sum(v["resident_bytes"] for v in module["variables"] if not v["thread_local"]) <= module["resident_bytes"], module
    sizes = [v["bytes"] for v in module["variables"]]
    assert sizes == sorted(sizes, reverse=True), sizes

threads = {t["thread"]: t for t in document["threads"]}
assert 21 * 64 * KIB <= threads[2]["stack_deepest_bytes"] <= 24 * 64 * KIB, threads[2]
assert threads[2]["stack_deepest_bytes"] <= threads[2]["stack_bytes"], threads[2]
assert 0 < threads[2]["stack_resident_bytes"] <= threads[2]["stack_bytes"], threads[2]
assert 0 < threads[1]["stack_deepest_bytes"] <= threads[1]["stack_bytes"], threads[1]
assert abs(sum(t["stack_resident_bytes"] for t in threads.values()) - end["stack_bytes"]) <= end["rss_bytes"] * 0.05, (threads, end)
