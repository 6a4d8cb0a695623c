// mold takes libstdc++.so's functions rather than those of an archive, which are weak: what links a tree's nodes
// was not counted, and nothing said so.  So the archive is linked in whole, where there is a C++ library.
// Row "mold" of docs/compiling.md.
//
// RUN: %clangxx_heapprof -fuse-ld=mold -### %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %clangxx_heapprof --ld-path=/usr/bin/ld.mold -shared -### %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %clang_heapprof -fuse-ld=mold -### %s -lstdc++ 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %clang_heapprof -fuse-ld=mold -### %s 2>&1 | FileCheck %s --check-prefix=PART
// RUN: %clangxx_heapprof -fuse-ld=mold -fuse-ld=bfd -### %s 2>&1 | FileCheck %s --check-prefix=PART
// RUN: mkdir -p %t/c++ && ln -sf %heapprof_build_dir/bin/heapprof-clang %t/c++/heapprof-clang
// RUN: %t/c++/heapprof-clang -fsanitize=heapprof -fuse-ld=mold -### %s 2>&1 | FileCheck %s --check-prefix=PART
// RUN: for flags in -stdlib=libc++ -nostdlib++ -nodefaultlibs; do \
// RUN:   %clangxx_heapprof -fuse-ld=mold $flags -### %s 2>&1 | FileCheck %s --check-prefix=PART || { echo "with $flags"; exit 1; }; done
// WHOLE: "--push-state" "--whole-archive" "{{[^"]*}}/lib/heapprof/libheapprof_stdcxx.a" "--pop-state"
// PART: "--push-state" "--no-whole-archive" "{{[^"]*}}/lib/heapprof/libheapprof_stdcxx.a" "--pop-state"
//
// The counts are those of another linker.
// RUN: %clangxx_heapprof -O2 %s -o %t.bfd && %run %t.bfd && %heapprof_score --json %dump/heapprof.* > %t.bfd.json
// RUN: %if mold %{ for flags in '' -static-libstdc++ -no-pie; do \
// RUN:   %clangxx_heapprof -O2 -fuse-ld=mold $flags %s -o %t.mold && %run %t.mold && %heapprof_score --json %dump/heapprof.* > %t.json && \
// RUN:   %python -c 'import json, sys; a, b = ([(p["chunks"], p["reads"], p["writes"]) for p in json.load(open(f))["points"] if p["chunks"] == 1000] for f in sys.argv[1:]); assert a == b and a[0][1] > 5000, (a, b)' %t.bfd.json %t.json || \
// RUN:   { echo "with $flags"; exit 1; }; done %}
// RUN: %if mold %{ %clang_heapprof -x c -DC -fuse-ld=mold %s -o %t.c && %run %t.c %}
#ifdef C
#include <stdlib.h>
int main(void) {
  free(malloc(8));
  return 0;
}
#else
#include <set>

int main() {
  std::set<int> all;
  for (int i = 0; i < 1000; i++)
    all.insert(i * 7919 % 1000);
  return all.size() == 1000 ? 0 : 1;
}
#endif
