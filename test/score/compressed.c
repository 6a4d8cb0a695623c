/* compressed.c - debug information compressed by zlib is read; by zstd, which older libdw cannot read, either gives lines or
   a line that says why there are none, in the table, in JSON and in the page.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g -gz=zlib %s -o %t && %run %t && %heapprof_score %dump/heapprof.* > %t.zlib
// RUN: grep -q 'compressed.c:[0-9]' %t.zlib && not grep 'compressed by' %t.zlib
// RUN: %clang_heapprof -O1 -g -gz=zstd %s -o %t && %run %t
// RUN: %heapprof_score %dump/heapprof.* | grep -Ec 'compressed by zstd|compressed.c:[0-9]' | grep -x 1
// The names that are kept say nothing of lines: the second answer is the first.
// RUN: %heapprof_score %dump/heapprof.* | grep -Ec 'compressed by zstd|compressed.c:[0-9]' | grep -x 1
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json && grep -Eq 'compressed by zstd|compressed.c", "line": [1-9]' %t.json
// RUN: %heapprof_report -o %t.html %dump/heapprof.* && grep -Eq 'compressed by zstd|compressed.c", "line": [1-9]' %t.html
// What the line advises helps.
// RUN: $(%clang -print-prog-name=llvm-objcopy) --decompress-debug-sections %t %t.plain && mv %t.plain %t
// RUN: %heapprof_score %dump/heapprof.* > %t.mended
// RUN: grep -q 'compressed.c:[0-9]' %t.mended && not grep 'compressed by' %t.mended
#include <stdlib.h>

void *volatile kept;

int main(void) {
  kept = malloc(1000);
  return 0;
}
