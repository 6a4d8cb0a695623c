# check_reports.py JUNIT SARIF - both as their readers parse them: well-formed, counts right, the broken limit named.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys
import xml.etree.ElementTree

suite = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
cases = suite.findall("testcase")
assert suite.tag == "testsuite" and int(suite.get("tests")) == len(cases) == 18
broken = [c for c in cases if c.find("failure") is not None]
assert int(suite.get("failures")) == len(broken) == 1
assert broken[0].get("classname") == "heapprof.function make_node" and broken[0].get("name") == "bytes max"
assert broken[0].find("failure").get("message") == "bytes is 300, at most 220 allowed"
assert any("Buffer<long>" in c.get("classname") for c in cases)

log = json.load(open(sys.argv[2], encoding="utf-8"))
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
assert len(run["results"]) == 1
for result in run["results"]:
    assert result["ruleId"] in rules and result["level"] == "error"
    assert result["message"]["text"] == "function make_node: bytes is 300, at most 220 allowed"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "shop/tree.c" and place["region"]["startLine"] == 15
    assert result["partialFingerprints"] == {"heapprofBudget/v1": "function make_node bytes max"}
