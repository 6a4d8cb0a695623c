// several-unlogged.c - of several processes without a log of chunks the peak is at most the sum of their own: it was 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -rf %t.d && mkdir %t.d && %clang_heapprof -g %s -o %t
// RUN: for log in none budget; do for bytes in 1000 3000; do \
// RUN:   HEAPPROF_OPTIONS=dump_dir=%t.d/$log:chunk_log=$log %t $bytes || exit 1; done; done
// RUN: %heapprof_score %t.d/none | tr -s '\n ' ' ' | FileCheck --check-prefix=NONE %s
// RUN: %heapprof_score %t.d/budget | tr -s '\n ' ' ' | FileCheck --check-prefix=LOG %s
// NONE: chunks 2, bytes 3.91KiB, peak 3.91KiB
// NONE: note: peaks are the sums of the peaks of 2 processes: no more was ever live at once
// LOG: chunks 2, bytes 3.91KiB, peak 2.93KiB
// LOG-NOT: peaks are the sums
#include <stdlib.h>

int main(int argc, char **argv) {
  free(malloc((size_t)atoi(argv[argc - 1])));
  return 0;
}
