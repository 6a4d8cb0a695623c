// called-back.c - a library of the system calls the program, which makes anew each time what is gone by the next: the program can keep it.
// Its twin does so. What the library makes itself the program can only ask for less often.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t -lsqlite3 && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired -lsqlite3 && %run %t.repaired
// RUN: %heapprof_score --findings %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Each turn of {{sqlite3[^ ]*|libsqlite3.so[^ ]*}} makes anew what is gone by the next: chunks of 2 points, such as in make_{{name|value}} (called-back.c:[[#]]), at least 2000 turns
// CHECK-SAME: -> Keep the object that holds them from turn to turn and fill it again
// CHECK-SAME: [generation]
// REPAIRED-NOT: [generation]
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static char *name, *value;
static unsigned long sum;

__attribute__((noinline)) static void make_name(int i) {
#ifdef REPAIRED
  if (!name)
#endif
    name = malloc(100);
  memset(name, i, 100);
}

__attribute__((noinline)) static void make_value(int i) {
#ifdef REPAIRED
  if (!value)
#endif
    value = malloc(300);
  memset(value, i, 300);
}

static void begin(sqlite3_context *context, int count, sqlite3_value **given) {
  make_name(sqlite3_value_int(given[count - 1]));
  make_value(sqlite3_value_int(given[count - 1]));
  sqlite3_result_int(context, 1);
}

static void end(sqlite3_context *context, int count, sqlite3_value **given) {
  (void)count, (void)given;
  for (int i = 0; i < 300; i++)
    sum += (unsigned char)(i < 100 ? name[i] : 0) + (unsigned char)value[i];
#ifndef REPAIRED
  free(name);
  free(value);
#endif
  sqlite3_result_int(context, 1);
}

int main(void) {
  sqlite3 *base;
  if (sqlite3_open(":memory:", &base) != SQLITE_OK)
    return 1;
  sqlite3_create_function(base, "begin1", 1, SQLITE_UTF8, NULL, begin, NULL,
                          NULL);
  sqlite3_create_function(base, "end1", 1, SQLITE_UTF8, NULL, end, NULL, NULL);
  if (sqlite3_exec(base,
                   "with recursive n(i) as (select 1 union all select i + 1 "
                   "from n where i < 2000) select begin1(i), end1(i) from n",
                   NULL, NULL, NULL) != SQLITE_OK)
    return 2;
  sqlite3_close(base);
  return sum == 0;
}
