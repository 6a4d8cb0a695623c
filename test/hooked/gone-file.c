// gone-file.c - a program with hooks whose file is removed, or replaced, while it runs: what it has beside them is not known then,
// so that what is said of accesses is likely; but it is not told as code without hooks, which it is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t remove && %heapprof_score %dump/heapprof.* > %t.table && FileCheck %s < %t.table
// RUN: not grep 'code without hooks (gone-file' %t.table
// RUN: %heapprof_score --json %dump/heapprof.* | grep '"accesses_shared": {"points": [1-9][0-9]*, "modules": \[\], "unread": \["[^"]*gone-file[^"]*"\], "functions": \[\]}'
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t replace && %heapprof_score %dump/heapprof.* | FileCheck %s
// With its file it is known to have nothing else.
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %heapprof_score %dump/heapprof.* > %t.table && not grep 'likely, not certain' %t.table
// RUN: %heapprof_score --json %dump/heapprof.* | grep '"accesses_shared": {"points": 0, "modules": \[\], "unread": \[\], "functions": \[\]}'
// CHECK: note: what is said of accesses is likely, not certain: modules with hooks
// CHECK-NEXT: (gone-file.c.tmp) may have code without, too, which their files, that are
// CHECK-NEXT: not there as they were loaded, would tell
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int sum = 0;
  if (argc > 1 && unlink(argv[0]) != 0)
    return 1;
  if (argc > 1 && strcmp(argv[1], "replace") == 0) {
    int file = open(argv[0], O_WRONLY | O_CREAT | O_EXCL, 0700);
    if (file < 0 || write(file, "text\n", 5) != 5 || close(file) != 0)
      return 1;
  }
  for (int i = 1; i <= 100; i++) {
    int *volatile p = malloc(40);
    p[0] = i;
    sum += p[0];
    free(p);
  }
  return sum != 5050;
}
