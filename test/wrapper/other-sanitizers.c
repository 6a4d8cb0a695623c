// Our name is taken out of the list and the rest handed on; what brings its own allocator is refused.
// Rows "-fsanitize=heapprof,undefined" and "-fno-sanitize=" of docs/compiling.md.
//
// RUN: %heapprof_clang -fsanitize=heapprof,undefined -### %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %heapprof_clang -fsanitize=undefined,heapprof -### %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %heapprof_clang -fsanitize=undefined -fsanitize=heapprof -### %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: "-cc1"
// BOTH-DAG: "-fpass-plugin=
// BOTH-DAG: "-fsanitize={{[^"]*}}signed-integer-overflow
// BOTH-DAG: ubsan_standalone
// BOTH-DAG: libheapprof_rt.a"
// RUN: %heapprof_clang -fsanitize=heapprof,undefined %s -o %t
// RUN: %run %t 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %heapprof_clang -fsanitize=heapprof,undefined -fsanitize-trap=undefined %s -o %t
// RUN: not --crash %run %t
// REPORT: runtime error: signed integer overflow
//
// Left to right, the last word wins.
// RUN: %heapprof_clang -fsanitize=heapprof -fno-sanitize=heapprof -### %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %heapprof_clang -fsanitize=heapprof -fno-sanitize=all -### %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %heapprof_clang -fsanitize=heapprof -fno-sanitize=undefined,heapprof -### %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %heapprof_clang -fno-sanitize=heapprof -### %s 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %heapprof_clang -fno-sanitize=all -fsanitize=heapprof -### %s 2>&1 | FileCheck %s --check-prefix=ON
// RUN: %heapprof_clang -fno-sanitize=heapprof -fsanitize=heapprof -### %s 2>&1 | FileCheck %s --check-prefix=ON
// RUN: %heapprof_clang -fsanitize=heapprof -fno-sanitize=undefined -### %s 2>&1 | FileCheck %s --check-prefix=ON
// OFF-NOT: {{error:|warning:|heapprof-pass|libheapprof_rt|__HEAPPROF__|-fsanitize}}
// ON: heapprof-pass
// ON: libheapprof_rt
//
// What cannot be combined; -fno-sanitize= ends the conflict.
// RUN: not %heapprof_clang -fsanitize=heapprof,address -c %s 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not %heapprof_clang -fsanitize=address -fsanitize=heapprof -c %s 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not %heapprof_clang -fsanitize=address -fsanitize=heapprof %t.o 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not %clang_heapprof -fsanitize=hwaddress -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %clang_heapprof -fsanitize=memory -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %clang_heapprof -fsanitize=memtag-heap -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %clang_heapprof -fsanitize=thread -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %clang_heapprof -fsanitize=leak -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %clang_heapprof -fmemory-profile -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %clang_heapprof -fmemory-profile=. -c %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// ADDRESS: {{^}}heapprof-clang: error: '-fsanitize=heapprof' cannot be combined with '-fsanitize=address': each needs a runtime of its own under malloc; build the program twice, once with each
// CONFLICT: {{^}}heapprof-clang: error: '-fsanitize=heapprof' cannot be combined with '-f
// RUN: %clang_heapprof -fsanitize=address -fno-sanitize=address -c %s -o %t.o
// RUN: %clang_heapprof -fsanitize=address -fno-sanitize=all -fsanitize=heapprof -c %s -o %t.o
// RUN: %heapprof_clang -fsanitize=heapprof -fno-sanitize=heapprof -fsanitize=address -c %s -o %t.o
// RUN: %clang_heapprof -fmemory-profile -fno-memory-profile -c %s -o %t.o
//
// A name that neither knows is clang's to refuse.
// RUN: not %heapprof_clang -fsanitize=heapprof,nonsense -c %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %heapprof_clang -fsanitize=heapprofile -c %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: heapprof-clang: error: unsupported argument '{{nonsense|heapprofile}}' to option '-fsanitize='
int main(int argc, char **argv) {
  (void)argv;
  int most = 0x7fffffff;
  return (most + argc) == 0;
}
