// A shared library is instrumented and takes the runtime from the executable.
// Rows "-shared" and "-r" of docs/compiling.md.
//
// RUN: %clang_heapprof -fPIC -shared -### %s 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: "-fpass-plugin=
// SHARED-NOT: libheapprof_rt
// RUN: %clang_heapprof -r -### %s 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %clang_heapprof -nostdlib -Wl,-r -### %s 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %clang_heapprof -nostdlib -Xlinker --relocatable -### %s 2>&1 | FileCheck %s --check-prefix=SHARED
//
// RUN: mkdir -p %t.dir
// RUN: %clang_heapprof -Werror -DLIBRARY -fPIC -shared %s -o %t.dir/libpart.so
// RUN: %clang_heapprof -Werror %s -L%t.dir -lpart -Wl,-rpath,%t.dir -o %t
// RUN: %run %t
//
// Demands that all be defined are taken out, however they are spelt, and only there.
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.so -Wl,-z,defs 2>&1 | FileCheck %s --check-prefix=ZDEFS
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.so -Wl,-z -Wl,defs 2>&1 | FileCheck %s --check-prefix=ZDEFS
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.so -Xlinker -z -Xlinker defs 2>&1 | FileCheck %s --check-prefix=ZDEFS
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.so -z defs 2>&1 | FileCheck %s --check-prefix=ZDEFS
// RUN: %clang_heapprof -DLIBRARY -fPIC -shared %s -o %t.so -Wl,--no-undefined 2>&1 | FileCheck %s --check-prefix=NOUNDEF
// ZDEFS: warning: ignoring '-z defs' for a shared library: the runtime's functions are defined in the executable
// NOUNDEF: warning: ignoring '--no-undefined' for a shared library
//
// RUN: %clang_heapprof -shared -fPIC -### %s -Wl,-z,now,-z,defs,-soname,part -z relro 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: "-z" "now" "-soname" "part"
// KEPT-SAME: "-z" "relro"
// KEPT-NOT: "defs"
// RUN: %clang_heapprof -### %s -Wl,-z,defs 2>&1 | FileCheck %s --check-prefix=EXECUTABLE
// EXECUTABLE-NOT: warning
// EXECUTABLE: "-z" "defs"
// RUN: %heapprof_clang -shared -### %s -Wl,-z,defs 2>&1 | FileCheck %s --check-prefix=EXECUTABLE
#include <stdlib.h>

#ifdef LIBRARY
int *part(void) {
  int *p = malloc(sizeof(*p));
  *p = 42;
  return p;
}
#else
int *part(void) __attribute__((weak));
int main(void) {
  if (!part)
    return 1;
  int *p = part(), wrong = *p != 42;
  free(p);
  return wrong;
}
#endif
