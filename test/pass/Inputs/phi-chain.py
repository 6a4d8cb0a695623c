# phi-chain.py - prints a function whose pointer comes out of argv[1] phis of phis.
# All of them end at one alloca, so that only the limit decides about a hook.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

length = int(sys.argv[1])
print("define i64 @f(i1 %c) {\nentry:\n  %p0 = alloca [999 x i64]\n  br label %b1")
for n in range(1, length + 1):
    print(f"b{n}:\n  %p{n} = phi ptr [ %p{n - 1}, %{'entry' if n == 1 else f'b{n - 1}'} ],"
          f" [ %q{n}, %b{n} ]\n  %q{n} = getelementptr i64, ptr %p{n}, i64 1\n"
          f"  br i1 %c, label %b{n}, label %{'end' if n == length else f'b{n + 1}'}")
print(f"end:\n  %v = load i64, ptr %p{length}\n  ret i64 %v\n}}")
