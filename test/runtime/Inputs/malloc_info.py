# malloc_info.py FILE - what malloc_info wrote is XML with the elements of glibc's, and its sums agree.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
import xml.etree.ElementTree as xml

root = xml.parse(sys.argv[1]).getroot()
assert (root.tag, root.get("version")) == ("malloc", "1")
assert [element.tag for element in root] == ["heap"] + 3 * ["total"] + 2 * ["system"] + 2 * ["aspace"]
heap = root.find("heap")
assert heap.get("nr") == "0" and heap[0].tag == "sizes"


def number(parent, tag, kind, what="size"):
    return int(parent.find("%s[@type='%s']" % (tag, kind)).get(what))


for parent in heap, root:
    system, rest = number(parent, "system", "current"), number(parent, "total", "rest")
    assert number(parent, "total", "fast") == 0
    # 2499 chunks of 1000 bytes and one of 90000 are live, and little more.
    assert 2499 * 1000 + 90000 <= system - rest <= 2499 * 1000 + 95000, (system, rest)
    assert number(parent, "aspace", "total") == system <= number(parent, "system", "max")
sizes = heap.findall("sizes/size")
assert sizes
assert all(int(s.get("total")) == int(s.get("count")) * int(s.get("to")) > 0 for s in sizes)
assert sum(int(s.get("count")) for s in sizes) == number(heap, "total", "rest", "count")
assert sum(int(s.get("total")) for s in sizes) <= number(heap, "total", "rest")
assert number(root, "total", "mmap", "count") == 2
assert number(root, "total", "mmap") == (10 << 20) + 200704
