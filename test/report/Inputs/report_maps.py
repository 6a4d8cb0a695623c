# report_maps.py DOCUMENT - the maps of a report as a document of their own, which heapprof.map.schema.json describes.
# A report names points elsewhere.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
maps = [{**found, "points": []} for found in report["maps"]]
print(json.dumps({"schema": "heapprof.map/1", "processes": report["processes"], "warnings": report["warnings"], "maps": maps}))
