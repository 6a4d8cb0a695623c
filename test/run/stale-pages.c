/* stale-pages.c - what of large chunks is in memory and was not written for a while, where the kernel tells; where it does not, nothing is said of it but that.
   A table that is only read is stale, one that is written again and again is not, by the kernel neither; of half of a chunk the other half is, but for the page that both share.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// DEFINE: %{stale} = %heapprof_score --json --limit 0 heapprof.* | %python %S/Inputs/stale.py
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -g %s -o app && %heapprof_run --page-facts --stale-pages=300 ./app rest > out && %{stale} known=out | FileCheck %s
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_heapprof -O1 -g %s -o app && HEAPPROF_OPTIONS=page_facts=1:stale_pages=300 ./app rest > out && %{stale} known=out | FileCheck %s
// CHECK:      filled: {{2097152 stale of 2097152|unknown}}
// CHECK-NEXT: read_on: {{20(97152|93088) stale of 2097152|unknown}}
// CHECK-NEXT: rewritten: {{0 stale of 2097152|unknown}}
// CHECK-NEXT: by_kernel: {{0 stale of 12256|unknown}}
// CHECK-NEXT: half: {{1044512 stale of 2097152|unknown}}
// CHECK-NEXT: late: {{0 stale of 2097152|unknown}}
// CHECK-NEXT: small: unknown
// CHECK-NEXT: as the kernel says
//
// Without the option there is nothing, and no note; a longer time than the run makes nothing stale.
// RUN: cd %t && rm -rf heapprof.* && ./app > out && %{stale} off | FileCheck --check-prefix=OFF %s
// OFF: filled: unknown
// OFF: half: unknown
// OFF: off
// RUN: cd %t && rm -rf heapprof.* && HEAPPROF_OPTIONS=page_facts=1:stale_pages=1000000 ./app > out && %{stale} known=out | FileCheck --check-prefix=LONG %s
// LONG: filled: {{0 stale of 2097152|unknown}}
// LONG: half: {{0 stale of 2097152|unknown}}
//
// A forked child has no such pages: a note, no numbers.
// RUN: cd %t && rm -rf heapprof.* && HEAPPROF_OPTIONS=page_facts=1:stale_pages=50 ./app fork > out && for d in heapprof.*; do %heapprof_score --json --limit 0 $d; done > both && grep -c '"stale_ms": null' both > count && grep -q 'stale pages are not known' both
//
// Columns.
// RUN: cd %t && rm -rf heapprof.* && HEAPPROF_OPTIONS=page_facts=1:stale_pages=50 ./app > out && %heapprof_score --csv --limit 0 heapprof.* > csv && head -1 csv | grep ',stale_chunks,stale_bytes,'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIZE ((size_t)2 << 20)
#define PAGE ((size_t)4096)
#define MAKER(name)                                                            \
  __attribute__((noinline)) static char *name(void) {                          \
    char *volatile chunk = malloc(SIZE);                                       \
    return chunk;                                                              \
  }
MAKER(filled)
MAKER(read_on)
MAKER(rewritten)
MAKER(by_kernel)
MAKER(half)
MAKER(late)
MAKER(probe)
__attribute__((noinline)) static char *small(void) {
  char *volatile chunk = malloc(1000);
  return chunk;
}

/* Whether this kernel has userfaultfd's asynchronous mode, for whoever asks. */
static int is_offered(void) {
  unsigned long long api[3] = {0xaa, 1 << 15, 0};
  const int fd = (int)syscall(SYS_userfaultfd, 1 | O_CLOEXEC);
  const int good = fd >= 0 && ioctl(fd, 0xc018aa3ful, api) == 0;
  if (fd >= 0)
    close(fd);
  return good;
}

/* Waits for three looks, by what the kernel says of a page: bit 57, what is written to it is noted, which is so from a look
   on until it is written.  The second began when all had been written, and the third when pages of the second were old. */
static void rest(char *chunk) {
  const unsigned long page = ((unsigned long)chunk + PAGE) / PAGE;
  const int map = open("/proc/self/pagemap", O_RDONLY);
  for (int looks = 0; looks < 3; looks++) {
    unsigned long long word = 0;
    *(char *)(page * PAGE) = 1;
    do
      sched_yield();
    while (pread(map, &word, sizeof word, (off_t)(page * sizeof word)) ==
               (ssize_t)sizeof word &&
           !(word >> 57 & 1));
  }
  close(map);
}

static char *kept[7];
int main(int argc, char **argv) {
  static char *(*const makers[])(void) = {filled, read_on, rewritten, by_kernel,
                                          half};
  volatile long sum = 0;
  printf("%d\n", is_offered());
  fflush(stdout);
  for (int i = 0; i < 5; i++)
    if ((kept[i] = makers[i]()) && i != 3)
      memset(kept[i], 1, SIZE);
  memset(kept[6] = small(), 1, 1000);
  if (argc > 1 && strcmp(argv[1], "fork") == 0) {
    const pid_t child = fork();
    if (child)
      waitpid(child, NULL, 0);
  }
  if (argc > 1 && strcmp(argv[1], "rest") == 0 && is_offered())
    rest(probe());
  for (size_t i = 0; i < SIZE; i++)
    sum += kept[1][i];
  const int zeros = open("/dev/zero", O_RDONLY);
  if (read(zeros, kept[3] + PAGE, PAGE) != (ssize_t)PAGE)
    return 1;
  memset(kept[2], 2, SIZE);
  memset(kept[4], 2, SIZE / 2);
  kept[3][0] = 1;
  memset(kept[5] = late(), 1, SIZE);
  return 0;
}
