/* uring.c - what a request of io_uring gives back is the kernel's alone until then: it is reached while the request lies in the ring, and
   not known once others took its place there.  Beside it what is forgotten.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t 0 && %check_leaks
// RUN: %run %t 7 && %check_leaks
// RUN: %run %t 12 ended && %check_leaks
// RUN: %run %t 12 > %t.out && %heapprof_score --json %dump >> %t.out && FileCheck %s --check-prefix=BUSY --input-file=%t.out
// BUSY: {{^there is no io_uring|"leak_check": "io_uring does not tell what it was given"}}
// RUN: %run %t 12 > %t.out && %heapprof_score --findings %dump >> %t.out && FileCheck %s --check-prefix=FINDINGS --input-file=%t.out
// FINDINGS: {{^there is no io_uring|^no findings}}
#include <linux/io_uring.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES 8u
#define KIND(name)                                                             \
  __attribute__((noinline)) static void *name(void) {                          \
    void *chunk = calloc(1, 700);                                              \
    __asm__ volatile("" : : "r"(chunk) : "memory");                            \
    return chunk;                                                              \
  }
KIND(request)   // LEAK request reachable=1
KIND(forgotten) // LEAK forgotten lost=3
KIND(last)      // may still be in a register that nobody uses

static struct io_uring_params params;
static struct io_uring_sqe *entries;
static unsigned *tail, *order;
static int ring = -1, ends[2];

static void open_ring(void) {
  ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
  if (ring < 0)
    return;
  char *rings =
      mmap(NULL, params.sq_off.array + ENTRIES * sizeof(unsigned),
           PROT_READ | PROT_WRITE, MAP_SHARED, ring, (off_t)IORING_OFF_SQ_RING);
  entries = mmap(NULL, ENTRIES * sizeof *entries, PROT_READ | PROT_WRITE,
                 MAP_SHARED, ring, (off_t)IORING_OFF_SQES);
  if ((void *)rings == MAP_FAILED || (void *)entries == MAP_FAILED)
    exit(1);
  tail = (unsigned *)(void *)(rings + params.sq_off.tail);
  order = (unsigned *)(void *)(rings + params.sq_off.array);
}

__attribute__((noinline)) static void submit(int code, void *data) {
  struct io_uring_sqe *entry = &entries[*tail % ENTRIES];
  memset(entry, 0, sizeof *entry);
  entry->opcode = (uint8_t)code;
  entry->fd = ends[0];
  entry->poll_events = POLLIN;
  entry->user_data = (uintptr_t)data;
  order[*tail % ENTRIES] = *tail % ENTRIES;
  __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  if (syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) != 1)
    exit(1);
}

__attribute__((noinline)) static void fill(int others, int ends_it) {
  static void *kept;
  for (int i = 0; i < 3; i++)
    forgotten();
  if (ring < 0 || ends_it)
    kept = request();
  else
    submit(IORING_OP_POLL_ADD, request());
  for (int i = 0; ring >= 0 && i < others; i++)
    submit(IORING_OP_NOP, NULL);
  last();
  __asm__ volatile("" : : "r"(kept) : "memory");
}

/* What was on the stack below is not there any more. */
__attribute__((noinline)) static void sweep(void) {
  volatile char room[1 << 16];
  memset((char *)room, 0, sizeof room);
}

int main(int argc, char **argv) {
  if (argc < 2 || pipe(ends) != 0)
    return 1;
  open_ring();
  if (ring < 0)
    puts("there is no io_uring");
  fill(atoi(argv[1]), argc > 2);
  sweep();
  return 0;
}
