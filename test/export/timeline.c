// Formats with a time axis, of a program whose heap climbs to its peak and falls again.
// REQUIRES: valgrind
// RUN: %clang_heapprof -g -O1 %s -o %t && %run %t
// RUN: %heapprof_score --json %dump > %t.json
// RUN: %heapprof_export --format=chrome -o %t.trace %dump && %python %S/Inputs/check_chrome.py %t.json %t.trace
// RUN: %heapprof_export --format=massif -o %t.massif %dump && %python %S/Inputs/check_massif.py %t.json %t.massif
// RUN: ms_print %t.massif | FileCheck %s
// More than two snapshots have no tree: the climb and the fall.
// RUN: grep -c heap_tree=empty %t.massif > %t.count && test $(cat %t.count) -gt 10
// Of some points there is no timeline.
// RUN: %heapprof_export --format=massif --filter=function=climb %dump | grep -c heap_tree=empty | FileCheck --check-prefix=TWO %s
// RUN: not %heapprof_export --format=chrome --filter=function=climb %dump 2>&1 | FileCheck --check-prefix=FILTER %s
// With a log of all chunks there is one.
// RUN: env HEAPPROF_OPTIONS=chunk_log=all %run %t && %heapprof_score --json %dump > %t.json
// RUN: %heapprof_export --format=massif --filter='size=1000' %dump > %t.massif && grep -c heap_tree=empty %t.massif > %t.count && test $(cat %t.count) -gt 10
// RUN: %heapprof_export --format=chrome --filter='function=climb & size<1000' %dump | FileCheck --check-prefix=NO-BYTES %s
// RUN: %heapprof_export --format=chrome --filter='function=climb & size=1000' %dump | FileCheck --check-prefix=BYTES %s
// A dump without a timeline has nothing for chrome.
// RUN: rm -rf %t.made && %heapprof_build_dir/test/bin/heapprof-make-dump shop %t.made
// RUN: not %heapprof_export --format=chrome %t.made 2>&1 | FileCheck --check-prefix=NONE %s
#include <stdlib.h>

enum { STEPS = 20000, SIZE = 1000 };
static void *kept[STEPS];

// CHECK: Detailed snapshots: [{{[0-9]+}} (peak)]
// CHECK: 100.00% (20,000,000B) (heap allocation functions)
// CHECK-NEXT: ->100.00% (20,000,000B) 0x{{[0-9a-f]+}}: climb ({{.*}}timeline.c:[[@LINE+1]])
__attribute__((noinline)) static void climb(int i) { kept[i] = malloc(SIZE); }

int main(void) {
  for (int i = 0; i < STEPS; i++)
    climb(i);
  for (int i = 0; i < STEPS; i++)
    free(kept[i]);
  return 0;
}
// TWO: {{^}}2{{$}}
// FILTER: heapprof-export: the timeline of a set is in a log of all chunks only, and chrome holds nothing else; leave --filter out, or profile with HEAPPROF_OPTIONS=chunk_log=all
// NO-BYTES: "live bytes, most"
// NO-BYTES-NOT: "bytes": {{[1-9]}}
// BYTES: "bytes": 20000000
// NONE: heapprof-export: no dump has a timeline, and chrome holds nothing else; profile the program again
