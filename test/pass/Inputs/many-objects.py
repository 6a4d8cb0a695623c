"""many-objects.py COUNT: prints functions that access COUNT objects, and again behind a call or a branch.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import sys

count = int(sys.argv[1])
print('target triple = "x86_64-unknown-linux-gnu"')
print("declare void @unknown()")
for name, between in (("call", " call void @unknown()\n br label %l"),
                      ("branch", " br i1 %c, label %l, label %r")):
    print(f"define void @{name}(ptr %p, i1 %c) {{")
    for i in range(count):
        print(f" %q{i} = load ptr, ptr %p\n %v{i} = load i8, ptr %q{i}")
    print(between, "\nl:")
    for i in range(count):
        print(f" store i8 1, ptr %q{i}")
    print(" ret void\nr:\n ret void\n}")
