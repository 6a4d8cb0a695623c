// exit-status.c - the status in the dump is what the parent gets, the last byte of it,
// by whatever way a process ends: -1 was none, and 300 was 300.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -O1 %s -o %t
// RUN: for way in return exit _exit _Exit quick_exit exit_group; do for status in -1 300; do \
// RUN:   %run %t $way $status; is=$?; echo "$way $status $is"; \
// RUN:   %heapprof_score --json %dump | grep -o '"exit_status": *[0-9a-z]*' | grep -qx "\"exit_status\": *$is" || exit 1; \
// RUN:   done; done | FileCheck --match-full-lines %s
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is(const char *way, const char *name) { return !strcmp(way, name); }

int main(int argc, char **argv) {
  const char *way = argv[argc - 2];
  const int status = atoi(argv[argc - 1]);
  free(malloc(10));
  if (is(way, "exit"))
    exit(status);
  if (is(way, "_exit"))
    _exit(status);
  if (is(way, "_Exit"))
    _Exit(status);
  if (is(way, "quick_exit"))
    quick_exit(status);
  if (is(way, "exit_group"))
    syscall(SYS_exit_group, status);
  return status;
}
// CHECK:      return -1 255
// CHECK-NEXT: return 300 44
// CHECK-NEXT: exit -1 255
// CHECK-NEXT: exit 300 44
// CHECK-NEXT: _exit -1 255
// CHECK-NEXT: _exit 300 44
// CHECK-NEXT: _Exit -1 255
// CHECK-NEXT: _Exit 300 44
// CHECK-NEXT: quick_exit -1 255
// CHECK-NEXT: quick_exit 300 44
// CHECK-NEXT: exit_group -1 255
// CHECK-NEXT: exit_group 300 44
