// library-remedies.c - what a library of the system lost, or let grow, the program can neither free itself nor make larger:
// the library has a function for it, or can be called less often.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang_heapprof -O1 -g %s -o %t -lsqlite3 -lz && %run %t
// RUN: %heapprof_score --findings --limit=0 %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: chunks of {{[0-9.]+}} KiB from deflateInit2_ are lost: {{[^>]*}}-> Call the library's function that gives them back, if it has one. deflateInit2_
// CHECK-DAG: in {{sqlite3[^ ]*|libsqlite3.so[^ ]*}} grow{{s?}} {{[^>]*}}-> Call it less often, or give it a buffer that is large enough, if it takes one. {{[^[]*}}called by append (
#include <sqlite3.h>
#include <stddef.h>
#include <zlib.h>

__attribute__((noinline)) static void begin(void) {
  z_stream stream = {0};
  if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
    __builtin_trap();
}

__attribute__((noinline)) static void append(sqlite3_str *text) {
  sqlite3_str_appendall(text, "a line of a text that becomes long\n");
}

__attribute__((noinline)) static int overwrite(void) {
  volatile char stack[4096];
  for (unsigned i = 0; i < sizeof stack; i++)
    stack[i] = (char)i;
  return stack[1];
}

int main(void) {
  for (int i = 0; i < 20; i++)
    begin();
  sqlite3_str *text = sqlite3_str_new(NULL);
  for (int i = 0; i < 4000; i++)
    append(text);
  sqlite3_free(sqlite3_str_finish(text));
  return overwrite() != 1;
}
