// replay.c - what a run allocated, allocated again without the program: the same chunks, and the same peak to the byte.
// A log that is not whole is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -fno-builtin %s -o %t && %env_heapprof_opts=chunk_log=all %run %t
// RUN: %heapprof_score --json %dump/heapprof.* > %t.score
// RUN: %heapprof_allocators --repeat 1 --with glibc --json -o %t.json --replay %dump/heapprof.* 2> %t.err && count 0 < %t.err
// RUN: %python %S/Inputs/replay.py %t.json %t.score | FileCheck --match-full-lines %s
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.allocators.schema.json %t.json
// RUN: %heapprof_allocators --repeat 1 --no-meter --with glibc --replay %dump/heapprof.* 2>&1 | FileCheck --check-prefix=TABLE %s
// RUN: not %heapprof_allocators --replay %dump/heapprof.* %t 2>&1 | FileCheck --check-prefix=BOTH --match-full-lines %s
// RUN: not %heapprof_allocators --replay %S/Inputs 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %env_heapprof_opts=chunk_log_point=64 %run %t && not %heapprof_allocators --replay %dump/heapprof.* 2>&1 | FileCheck --check-prefix=PART %s
#include <stdlib.h>

static char *kept[1000];

/* Of a chunk of 1 MiB the first half is touched. */
static void half(void) {
  char *large = malloc(1 << 20);
  for (int i = 0; i < 1 << 19; i++)
    large[i] = (char)i;
  free(large);
}

int main(void) {
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 1000; i++) {
      kept[i] = malloc((size_t)(i * 37 % 900));
      if (i % 3 == 0)
        kept[i] = realloc(kept[i], 1000);
    }
    half();
    for (int i = round; i < 1000; i++) {
      free(kept[i]);
      kept[i] = NULL;
    }
  }
  return 0;
}

// CHECK: chunks True, peak True, live at the end True
// TABLE: replay of {{.*}}heapprof.replay.c.tmp.{{[0-9]+}}: medians of 1 round
// BOTH: heapprof-allocators: --replay takes no program
// NONE: heapprof-allocators: {{.*}}Inputs
// PART: heapprof-allocators: {{.*}}: its log has {{[0-9]+}} of 6675 chunks; profile the program with chunk_log=all
