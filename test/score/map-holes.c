// map-holes.c - an address map of a program whose layout is known: every second chunk freed, rebuilt and as it is.
// 64 chunks of 8000 bytes have 64 slots of 8 KiB side by side, three of 100000 bytes a slot of 128 KiB each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: for way in hooked plain; do build="%clang_heapprof"; run=; if [ $way = plain ]; then build=%clang; run=%heapprof_run; fi; \
// RUN:   rm -rf heapprof.* && $build -g -fno-builtin %s -o app && env HEAPPROF_OPTIONS=addresses=1 $run ./app 2> err || exit 1; \
// RUN:   %heapprof_score --map --cell 8K --at peak --at end heapprof.app.* > map && FileCheck --match-full-lines --strict-whitespace %s < map || exit 1; \
// RUN:   %heapprof_score --map=type --cell 8K heapprof.app.* | FileCheck --check-prefix=LETTERS %s || exit 1; \
// RUN:   %heapprof_score --map=point --cell 8K heapprof.app.* | FileCheck --check-prefixes=LETTERS,POINT %s || exit 1; \
// RUN:   %heapprof_score --map=age --cell 8K heapprof.app.* | FileCheck --check-prefix=AGE %s || exit 1; \
// RUN:   %heapprof_score --map --cell 4K heapprof.app.* | FileCheck --check-prefix=FINER %s || exit 1; \
// RUN:   %heapprof_score --map --json --cell 8K --at peak --at end heapprof.app.* > json && %python %S/check_schema.py %heapprof_source_dir/docs/heapprof.map.schema.json json || exit 1; \
// RUN:   %python %S/Inputs/map_values.py json | FileCheck --check-prefix=VALUES %s || exit 1; done

// What is live at the peak, and what is left of it: the last chunk of the second region is freed, too.
//      CHECK:{{.*}} (peak): 67 chunks, live 793KiB, span 805KiB, mapped 812KiB
// CHECK-NEXT:    fragmentation 1.5 %, internal 2.3 %, external 0.0 %, utilisation 97.7 %
// CHECK-NEXT:    mean fragmentation of its regions 1.2 %
// CHECK-NEXT:  a character is 8.00KiB: . no chunk, , none but its slot, 1 to 9 tenths of it requested, # 95 % or more
// CHECK-EMPTY:
// CHECK-NEXT:slots of 8.00KiB: 64 chunks, live 500KiB, span 512KiB, mapped 512KiB
// CHECK-NEXT:    fragmentation 2.3 %, internal 2.3 %, external 0.0 %, utilisation 97.7 %
// CHECK-NEXT:{{0x[0-9a-f]+}} ################################################################
// CHECK-EMPTY:
// CHECK-NEXT:slots of 128KiB, mapped one by one: 3 chunks, live 293KiB, span 293KiB, mapped 300KiB
//      CHECK:{{.*}} (end): 33 chunks, live 348KiB, span 610KiB, mapped 612KiB
// CHECK-NEXT:    fragmentation 43.0 %, internal 2.3 %, external 41.6 %, utilisation 56.8 %
//      CHECK:slots of 8.00KiB: 32 chunks, live 250KiB, span 512KiB, mapped 512KiB
// CHECK-NEXT:    fragmentation 51.2 %, internal 2.3 %, external 50.0 %, utilisation 48.8 %
// CHECK-NEXT:{{0x[0-9a-f]+}} .#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#
// CHECK-EMPTY:
// CHECK-NEXT:slots of 128KiB, mapped one by one: 1 chunk, live 97.7KiB, span 97.7KiB, mapped 100KiB
// CHECK-NEXT:    fragmentation 0.0 %, internal 2.3 %, external 0.0 %, utilisation 97.7 %

// LETTERS: a character is 8.00KiB: . no chunk, , none but its slot, a letter who has most of it
// POINT: {{^}}  a make (map-holes.c:{{[0-9]+}}) #{{[0-9]+$}}
// LETTERS: {{^0x[0-9a-f]+}} .a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a{{$}}
// AGE: {{^0x[0-9a-f]+}} {{(\.[0-9]){32}$}}
// FINER: {{^0x[0-9a-f]+}} {{(\.\.##){16}$}}
// FINER-NEXT: ... 1 more line like this one, 256KiB

// VALUES: peak 67 chunks 812000 live 831488 taken
// VALUES-NEXT: 64 of 64 cells of region 0, each 1 chunk of 8000 in 8192
// VALUES: end 33 chunks 356000 live 364544 taken
// VALUES-NEXT: 32 of 64 cells of region 0, each 1 chunk of 8000 in 8192
// VALUES-NEXT: every second one
#include <stdlib.h>
#include <string.h>

static char *small[64], *large[3];

static char *make(size_t size) {
  /* In slots of a power of two, with hooks or not. */
  char *chunk = size % 64 ? malloc(size) : aligned_alloc(32, size);
  memset(chunk, 1, size);
  return chunk;
}

static int by_address(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  return (x > y) - (x < y);
}

int main(void) {
  for (int i = 0; i < 64; i++)
    small[i] = make(8000);
  for (int i = 0; i < 3; i++)
    large[i] = make(100000);
  qsort(small, 64, sizeof *small, by_address);
  qsort(large, 3, sizeof *large, by_address);
  for (int i = 0; i < 64; i += 2)
    free(small[i]);
  free(large[0]);
  free(large[2]);
  return 0;
}
