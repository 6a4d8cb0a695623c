/* no-debug-info.c - a program without debug information: a note says why places have no lines, and what to do.
   With it, with symbols left out by the user, and where the file is not there, which is told, there is none.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %clang_heapprof -O1 %s -o plain && %clang_heapprof -O1 -g %s -o full && cp full bare && strip bare && cp plain gone
// RUN: cd %t.d && for p in plain full bare gone; do HEAPPROF_OPTIONS=dump_dir=of.$p ./$p || exit 1; done && rm gone
// RUN: cd %t.d && for i in 1 2; do %heapprof_score of.plain | tr -s '\n ' ' ' | FileCheck --check-prefix=PLAIN %s || exit 1; done
// RUN: cd %t.d && %heapprof_score --findings of.bare | tr -s '\n ' ' ' | FileCheck --check-prefix=BARE %s
// RUN: cd %t.d && for d in "of.full" "--no-symbols of.plain" "of.gone"; do %heapprof_score $d > out && not grep "no lines" out || exit 1; done
// Nor where another file of it than the one that allocates has lines.
// RUN: cd %t.d && %clang_heapprof -O1 -c -Dmain=work %s -o plain.o && echo "int work(void); int main(void) { return work() + 0; }" > main.c && %clang_heapprof -g plain.o main.c -o both && HEAPPROF_OPTIONS=dump_dir=of.both ./both && %heapprof_score of.both > out && not grep "no lines" out
// PLAIN: plain: what allocates there has no debug information: places have no lines; build it with -g, or give --debug-dir
// BARE: bare: is stripped: its code has no names and no lines; keep them, and build it with -g, or give --debug-dir
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(10);
  p[0] = 1;
  free(p);
  return 0;
}
