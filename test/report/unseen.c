// unseen.c - what nobody saw is "?" in the page, too, and what may be more has its ">", as heapprof-score has them; sizes are rounded alike.
// All columns of the points are in sight, and no view is wider than a telephone. Of a program that allocates nothing the page says that, and where nobody looked for lost chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromedriver
// RUN: %clang_heapprof -O1 -g %s -o %t && %env_heapprof_opts=profile_children=0 %run %t
// RUN: %heapprof_score %dump/heapprof.* | FileCheck %s
// CHECK: not in usage, useful life: 1 point of unknown accesses, 1 chunk{{$}}
// CHECK-DAG: {{unseen.c.* 1 3.12KiB 3.12KiB }}
// CHECK-DAG: {{unseen.c.* char +1 +1000B.* >0.00}}
// RUN: %heapprof_report %dump/heapprof.* -o %t.html && %heapprof_report --no-symbols %dump/heapprof.* -o %t.bare.html
// RUN: rm -r %dump/heapprof.*/modules %dump/heapprof.*/end && %heapprof_report %dump/heapprof.* -o %t.unknown.html
// RUN: %clang_heapprof -O1 -g -DNOTHING %s -o %t && %run %t
// RUN: %heapprof_report %dump/heapprof.* -o %t.nothing.html
// RUN: %python %S/Inputs/use_unseen.py %t.html %t.nothing.html %t.bare.html %t.unknown.html
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct
    a_name_that_is_longer_than_a_column_of_a_table_should_be_as_templates_have_them {
  long numbers[400]; // 3.125 KiB
};

#ifdef NOTHING
int main(void) { _exit(0); }
#else
int main(void) {
  char *volatile given = malloc(1000);
  given[0] = 1;
  if (fork() == 0)
    _exit(0);
  wait(NULL);
  puts("a buffer that libc allocates");
  struct
      a_name_that_is_longer_than_a_column_of_a_table_should_be_as_templates_have_them
          *volatile long_one = malloc(sizeof *long_one);
  long_one->numbers[0] = 1;
  free(long_one);
  int sum = given[0];
  free(given);
  return sum == 2;
}
#endif
