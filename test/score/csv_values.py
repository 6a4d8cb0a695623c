# csv_values.py SHOP STRANGE - both files as a strict CSV reader sees them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import csv
import sys


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    assert data.endswith(b"\r\n")
    text = data.decode("utf-8")  # invalid bytes have become U+FFFD
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f, strict=True))
    assert all(None not in row and None not in row.values() for row in rows), "ragged rows"
    return text, rows


text, rows = read(sys.argv[1])
assert text.count("\r\n") == 6
assert [r["id"] for r in rows] == ["2", "4", "5", "1", "3"]
assert rows[3]["stack"] == ("make_node /src/shop/tree.c:12:10\n"
                            "build_tree(std::vector<int> const&) /src/shop/tree.c:20:3\n"
                            "main /src/shop/main.c:5:3")
assert rows[2]["stack"] == "/opt/shop/app+0x2400"
assert rows[1]["usage"] == "" and rows[1]["flags"] == "unused zero_size"

_, rows = read(sys.argv[2])
by_id = {r["id"]: r for r in rows}
assert by_id["1"]["function"] == 'we"ird,\tna\\me\r\n\x1b[2Jx'
assert by_id["1"]["file"] == 'a,b".c'
assert by_id["1"]["type"] == "std::pair<\"x\", '\\n'>\x7f"
assert by_id["2"]["function"] == "gr\u00f6\u00dfe\u65e5\u672c"
assert by_id["2"]["file"] == "\ufffd.c"
assert by_id["2"]["type"] == "\ufffd\ufffd\ufffd"
