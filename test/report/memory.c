// memory.c - the view Memory of a report: holes where chunks were freed, through the moments of a slider, by colour and cell.
// Opened in a headless browser beside what heapprof-score --map says; map-holes.c has the layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: for way in hooked plain; do build="%clang_heapprof"; run=; if [ $way = plain ]; then build=%clang; run=%heapprof_run; fi; \
// RUN:   rm -rf heapprof.* && $build -g -fno-builtin %s -o app && env HEAPPROF_OPTIONS=addresses=1:chunk_log=all $run ./app 2> err || exit 1; \
// RUN:   %heapprof_report heapprof.app.* -o page.html && %heapprof_report --json heapprof.app.* > document || exit 1; \
// RUN:   %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.report.schema.json document || exit 1; \
// RUN:   %python %S/Inputs/report_maps.py document > maps && %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.map.schema.json maps || exit 1; \
// RUN:   %heapprof_score --map --json --at peak --at end heapprof.app.* > map && %python %S/Inputs/use_memory.py page.html map || exit 1; done
// Without the whole log there is the end; without addresses it says what to do.
// RUN: cd %t.d && rm -rf heapprof.* && env HEAPPROF_OPTIONS=addresses=1:chunk_log=none %heapprof_run ./app 2> err && %heapprof_report --json heapprof.app.* | %python %S/Inputs/report_maps.py /dev/stdin | FileCheck --check-prefix=END %s
// RUN: cd %t.d && rm -rf heapprof.* && %heapprof_run ./app 2> err && %heapprof_report --json heapprof.app.* | FileCheck --check-prefix=NONE %s
// END: "name": "end"
// END-NOT: "name": "peak"
// NONE: "maps":[],
// NONE-NEXT: "maps_left_out":0,
// NONE-NEXT: "no_map":"{{.*}}: this dump has no addresses: run the program with HEAPPROF_OPTIONS=addresses=1",
#include <stdlib.h>
#include <string.h>

static char *chunks[64];

static int by_address(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  return (x > y) - (x < y);
}

int main(void) {
  for (int i = 0; i < 64; i++)
    memset(chunks[i] = aligned_alloc(32, 8000), 1,
           8000); /* in slots of a power of two, with hooks or not */
  qsort(chunks, 64, sizeof *chunks, by_address);
  for (int i = 0; i < 64; i += 2)
    free(chunks[i]);
  return 0;
}
