// -fsanitize-ignorelist= reaches the pass and the dependency file.
// Row "-fsanitize-ignorelist=" of docs/compiling.md.
//
// RUN: echo 'fun:ignored' > %t.first && echo 'fun:other' > %t.second
// RUN: %clang_heapprof -fsanitize-ignorelist=%t.first -### -c %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %clang_heapprof -fsanitize-ignorelist=%t.first -fsanitize-ignorelist=%t.second -### -c %s 2>&1 | FileCheck %s --check-prefixes=ONE,TWO
// ONE: "-mllvm" "-heapprof-ignorelist={{[^"]*}}.first"
// ONE-SAME: "-fdepfile-entry={{[^"]*}}.first"
// TWO-SAME: "-mllvm" "-heapprof-ignorelist={{[^"]*}}.second"
// TWO-SAME: "-fdepfile-entry={{[^"]*}}.second"
// RUN: %clang_heapprof -Werror -fsanitize-ignorelist=%t.first -fsanitize-ignorelist=%t.second -MD -MF %t.d -c %s -o %t.o
// RUN: FileCheck %s --check-prefix=DEPENDS < %t.d
// DEPENDS: ignorelist.c.tmp.first
//
// -fno-sanitize-ignorelist drops those before it.
// RUN: %clang_heapprof -fsanitize-ignorelist=%t.first -fno-sanitize-ignorelist -### -c %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: heapprof-ignorelist
//
// Only compiling reads it; other sanitizers read it too.
// RUN: %clang_heapprof -Werror -fsanitize-ignorelist=%t.first %t.o -o %t
// RUN: %clang_heapprof -fsanitize=undefined -fsanitize-ignorelist=%t.first -### -c %s 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH-DAG: "-heapprof-ignorelist=
// BOTH-DAG: "-fsanitize-ignorelist=
//
// RUN: not %clang_heapprof -fsanitize-ignorelist=%t.none -c %s 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: {{^}}heapprof-clang: error: -fsanitize-ignorelist: cannot read '{{.*}}.none'; check the path
int main(void) { return 0; }
