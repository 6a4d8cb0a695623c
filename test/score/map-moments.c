// map-moments.c - which moments an address map can be of: any with the whole log, else the end; marks by name; dumps of their own.
// And the one line where there is no map, or not that one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir -p %t.d && cd %t.d && %clang_heapprof -g -fno-builtin %s -o app
// RUN: env HEAPPROF_OPTIONS=addresses=1:chunk_log=all:dump_dir=all ./app && %heapprof_score --map --at half --at full --at end all/heapprof.app.*[0-9] | FileCheck %s
// RUN: %heapprof_score --map --at 3000000s --at 1ns all/heapprof.app.*[0-9] | FileCheck --check-prefix=TIMES %s
// CHECK: (half): 500 chunks, live 488KiB
// CHECK: (full): 1000 chunks, live 977KiB, span 1.95MiB, mapped 1.95MiB
// CHECK: (end): 1 chunk, live 1000B
// TIMES: at 1ns: 0 chunks, live 0B, span 0B, mapped 0B
// TIMES-NEXT: fragmentation -, internal -, external -, utilisation -
// TIMES: at {{.*}}s: 1 chunk, live 1000B

// A budget leaves chunks out of the log, but none that lives. So does no log at all.
// RUN: env HEAPPROF_OPTIONS=addresses=1:chunk_log_point=16:dump_dir=some ./app && %heapprof_score --map some/* | FileCheck --check-prefix=END %s
// RUN: env HEAPPROF_OPTIONS=addresses=1:chunk_log=none:dump_dir=none ./app keep && %heapprof_score --map none/* | FileCheck --check-prefix=KEPT %s
// RUN: env HEAPPROF_OPTIONS=addresses=1:chunk_log_point=16:dump_dir=kept ./app keep && %heapprof_score --map kept/* | FileCheck --check-prefix=KEPT %s
// END: (end): 1 chunk, live 1000B
// END-NOT: note:
// KEPT: (end): 1000 chunks, live 977KiB, span 1.95MiB
// KEPT-NOT: note:

// A dump that is asked for is a map of its moment.
// RUN: env HEAPPROF_OPTIONS=addresses=1:dump_dir=asked ./app ask && %heapprof_score --map asked/*.1 | FileCheck --check-prefix=ASKED %s
// ASKED: (end): 500 chunks, live 488KiB

// Chunks from before the window are in no dump.
// RUN: env HEAPPROF_OPTIONS=addresses=1:start=0:dump_dir=late ./app late && %heapprof_score --map late/* | FileCheck --check-prefix=LATE %s
// LATE: (end): 500 chunks
// LATE: note: 500 more chunks lie there that the dump does not have: they look free

// RUN: not %heapprof_score --map --at peak some/* 2>&1 | FileCheck --check-prefix=THINNED %s
// RUN: not %heapprof_score --map --at never all/*[0-9] 2>&1 | FileCheck --check-prefix=MARK %s
// RUN: not %heapprof_score --map --cell 16 --at full all/*[0-9] > few 2>&1; FileCheck --check-prefix=CELLS %s < few
// RUN: env HEAPPROF_OPTIONS=dump_dir=old ./app && not %heapprof_score --map old/* 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: %heapprof_merge -o merged all && not %heapprof_score --map merged 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %heapprof_build_dir/test/bin/heapprof-make-dump killed heapprof.killed && not %heapprof_score --map heapprof.killed 2>&1 | FileCheck --check-prefix=KILLED %s
// THINNED: heapprof-score: some/heapprof.app.{{[0-9]+}}: the chunk log has not all chunks, so that only the end is known: run the program with HEAPPROF_OPTIONS=addresses=1:chunk_log=all
// MARK: heapprof-score: all/heapprof.app.{{[0-9]+}}: the program set no mark "never"
// CELLS: a character is 16B
// OLD: heapprof-score: old/heapprof.app.{{[0-9]+}}: this dump has no addresses: run the program with HEAPPROF_OPTIONS=addresses=1
// MERGED: heapprof-score: merged: a merged dump has no chunks one by one; map those that it was made of
// KILLED: heapprof-score: heapprof.killed: the dump was cut off before it said which chunks live: there is no map

// Of several dumps those that have addresses are shown, the others are named.
// RUN: %heapprof_score --map old some | FileCheck --check-prefix=BOTH %s
// BOTH: note: old/heapprof.app.{{[0-9]+}}: this dump has no addresses
// BOTH: (end): 1 chunk

// RUN: for wrong in "--map=size" "--at end" "--cell 64" "--map --cell 100" "--map --cell 8" "--map --cell x" "--map --by type" "--map --csv" "--map --findings" "--map --filter a" "--map --stacks" "--map --limit 3"; do \
// RUN:   %heapprof_score $wrong some > out 2> err; test $? = 2 && count 0 < out && count 1 < err || { echo $wrong; exit 1; }; done
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>
#include <string.h>

static char *chunks[1000];

static void fill(int from, int to) {
  for (int i = from; i < to; i++)
    memset(chunks[i] = malloc(1000), 1, 1000);
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "";
  fill(0, 500);
  __heapprof_mark("half");
  if (strcmp(way, "late") == 0)
    __heapprof_start();
  if (strcmp(way, "ask") == 0)
    __heapprof_dump();
  fill(500, 1000);
  __heapprof_mark("full");
  for (int i = 1; i < 1000 && !*way; i++)
    free(chunks[i]);
  return 0;
}
