/* no-page.c - pages that may not be read, though their range may: guards, those of a file that was cut, and those that a handler which stands still would have to fill.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t -pthread
// RUN: %run %t cut && %heapprof_score --json %dump | FileCheck %s
// RUN: %run %t guard && %heapprof_score --json %dump | FileCheck %s
// RUN: timeout 60 %run %t handler && %heapprof_score --json %dump | FileCheck %s
// RUN: %clang -O1 -g %s -o %t.plain -pthread && rm -rf %t.d
// RUN: %heapprof_run --quiet -o %t.d %t.plain guard && %heapprof_run --quiet --allocator=program -o %t.d %t.plain guard
// CHECK: "leak_check": "done"
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, SMALL = 8 * PAGE, GUARD_INSTALL = 102 };
static char *chunk;

static char *map(int file) {
  const int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
  return mmap(NULL, SMALL, PROT_READ | PROT_WRITE, flags, file, 0);
}

static void cut(void) {
  FILE *file = tmpfile();
  if (!file || ftruncate(fileno(file), SMALL))
    return;
  *map(fileno(file)) = 1;
  if (ftruncate(fileno(file), 0))
    perror("ftruncate");
}

/* Linux before 6.13 knows no guards. */
static void guard(void) {
  char *mapped = map(-1);
  memset(mapped, 1, SMALL);
  memset(chunk, 1, SMALL);
  madvise(mapped + PAGE, PAGE, GUARD_INSTALL);
  madvise(chunk + PAGE, PAGE, GUARD_INSTALL);
}

static void *wait_for_ever(void *arg) {
  pause();
  return arg;
}

/* Where it may not be had all of this does nothing. */
static void hand_to_handler(void) {
  const int handler =
      (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register range = {.range = {(uintptr_t)chunk, SMALL},
                                  .mode = UFFDIO_REGISTER_MODE_MISSING};
  pthread_t thread;
  ioctl(handler, UFFDIO_API, &api);
  ioctl(handler, UFFDIO_REGISTER, &range);
  range.range.start = (uintptr_t)map(-1);
  ioctl(handler, UFFDIO_REGISTER, &range);
  pthread_create(&thread, NULL, wait_for_ever, NULL);
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  chunk = aligned_alloc(PAGE, SMALL);
  if (!strcmp(what, "cut"))
    cut();
  else if (!strcmp(what, "guard"))
    guard();
  else
    hand_to_handler();
  return 0;
}
