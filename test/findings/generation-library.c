// generation-library.c - a function of a library of the system makes all that it needs anew in each call: there is no
// object of it that the program could keep, nor an arena; it can call less.
// Its twin keeps the statement, which it resets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t -lsqlite3 && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// RUN: %clang_heapprof -O1 -g -DREPAIRED %s -o %t.repaired -lsqlite3 && %run %t.repaired
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | FileCheck --check-prefix=REPAIRED %s
// CHECK: Each turn of sqlite3_exec makes anew
// CHECK-SAME: -> Call it less often, or let it keep its memory from call to call, if it can.
// CHECK-SAME: [generation]
// CHECK-NOT: Keep the object
// REPAIRED-NOT: sqlite3_exec makes anew
#include <sqlite3.h>
#include <stddef.h>

static sqlite3 *base;

__attribute__((noinline)) static void insert(void) {
  static const char text[] = "INSERT INTO t(name) VALUES ('a' || 1)";
#ifdef REPAIRED
  static sqlite3_stmt *kept;
  if (!kept && sqlite3_prepare_v2(base, text, -1, &kept, NULL) != SQLITE_OK)
    __builtin_trap();
  if (sqlite3_step(kept) != SQLITE_DONE)
    __builtin_trap();
  sqlite3_reset(kept);
#else
  if (sqlite3_exec(base, text, NULL, NULL, NULL) != SQLITE_OK)
    __builtin_trap();
#endif
}

int main(void) {
  if (sqlite3_open(":memory:", &base) != SQLITE_OK ||
      sqlite3_exec(base, "CREATE TABLE t(name)", NULL, NULL, NULL) != SQLITE_OK)
    __builtin_trap();
  for (int i = 0; i < 300; i++)
    insert();
  return 0;
}
