/* malloc_questions.c - mallinfo and its kin: what a program asks malloc about
   itself.  In glibc's forms and units, with what is true of this heap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>

#include "chunk/allocator.h"
#include "chunk/beside.h"
#include "chunk/heap_usage.h"
#include "entry/entry.h"
#include "entry/foreign_malloc.h"
#include "entry/start.h"
#include "system/early_allocator.h"
#include "system/next_allocator.h"
#include "system/platform.h"

#define HP_WEAK(target) __attribute__((weak, alias(#target), nothrow)) HP_EXPORT

/* With allocator=program that one answers. */
#define HP_IS_ASKED(name) (HP_UNLIKELY(hp_beside) && hp_next.name)

size_t hp_malloc_usable_size(void *p);
int hp_malloc_trim(size_t keep);
int hp_mallopt(int parameter, int value);
struct mallinfo hp_mallinfo(void);
struct mallinfo2 hp_mallinfo2(void);
void hp_malloc_stats(void);
int hp_malloc_info(int options, FILE *file);

/* What was asked for, so that using more than that shows as an overrun. */
size_t hp_malloc_usable_size(void *p) {
  if (p && HP_UNLIKELY(hp_entry_is_elsewhere(p))) {
    size_t size;
    if (hp_early_owns(p))
      return hp_early_size(p);
    if (HP_IS_ASKED(malloc_usable_size))
      return hp_next.malloc_usable_size(p);
    if (hp_foreign_usable_size(p, &size))
      return size;
  }
  return hp_usable_size(p);
}

/* What freed large chunks have kept is given back. */
int hp_malloc_trim(size_t keep) {
  if (HP_IS_ASKED(malloc_trim))
    return hp_next.malloc_trim(keep);
  return hp_heap_trim();
}

/* glibc's tuning means nothing here; what it refuses is refused, and it says 1
   to whatever it does not know. */
int hp_mallopt(int parameter, int value) {
  const int most_fast = 160;
  if (HP_IS_ASKED(mallopt))
    return hp_next.mallopt(parameter, value);
  return parameter != M_MXFAST || (value >= 0 && value <= most_fast);
}

/* What is not live of slots is free: also what they have beyond their chunk. */
static size_t free_bytes(const struct hp_slots_usage *slots) {
  return slots->bytes - slots->live_bytes;
}

struct mallinfo2 hp_mallinfo2(void) {
  if (HP_IS_ASKED(mallinfo2))
    return hp_next.mallinfo2();
  if (hp_init_state != HP_STARTED)
    return (struct mallinfo2){0};
  const struct hp_slots_usage slots = hp_heap_slots(NULL, NULL);
  const struct hp_mapped_usage mapped = hp_heap_mapped();
  return (struct mallinfo2){.arena = slots.bytes,
                            .ordblks = slots.free_slots,
                            .hblks = mapped.chunks,
                            .hblkhd = mapped.bytes,
                            .uordblks = slots.live_bytes,
                            .fordblks = free_bytes(&slots)};
}

/* Its numbers wrap around, as glibc's do. */
struct mallinfo hp_mallinfo(void) {
  if (HP_IS_ASKED(mallinfo))
    return hp_next.mallinfo();
  const struct mallinfo2 wide = hp_mallinfo2();
  return (struct mallinfo){.arena = (int)wide.arena,
                           .ordblks = (int)wide.ordblks,
                           .hblks = (int)wide.hblks,
                           .hblkhd = (int)wide.hblkhd,
                           .uordblks = (int)wide.uordblks,
                           .fordblks = (int)wide.fordblks};
}

static unsigned long number(uint64_t value) { return value; }

/* No point at which a thread is cancelled, as in glibc: with half of the text
   written, stderr's lock would stay taken. */
void hp_malloc_stats(void) {
  if (HP_IS_ASKED(malloc_stats)) {
    hp_next.malloc_stats();
    return;
  }
  int cancelable = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelable);
  struct hp_slots_usage slots = {0};
  struct hp_mapped_usage mapped = {0};
  if (hp_init_state == HP_STARTED) {
    slots = hp_heap_slots(NULL, NULL);
    mapped = hp_heap_mapped();
  }
  fprintf(stderr,
          "Arena 0:\n"
          "system bytes     = %10lu\n"
          "in use bytes     = %10lu\n"
          "Total (incl. mmap):\n"
          "system bytes     = %10lu\n"
          "in use bytes     = %10lu\n"
          "max mmap regions = %10lu\n"
          "max mmap bytes   = %10lu\n",
          number(slots.bytes), number(slots.live_bytes),
          number(slots.bytes + mapped.bytes),
          number(slots.live_bytes + mapped.bytes), number(mapped.most_chunks),
          number(mapped.most_bytes));
  pthread_setcancelstate(cancelable, NULL);
}

static void put_free(size_t slot, const struct hp_slots_usage *usage,
                     void *file) {
  if (usage->free_slots)
    fprintf(file,
            "  <size from=\"%zu\" to=\"%zu\" total=\"%lu\" count=\"%lu\"/>\n",
            slot, slot, number(usage->free_slots * slot),
            number(usage->free_slots));
}

static void put_totals(FILE *file, const struct hp_slots_usage *slots,
                       const struct hp_mapped_usage *mapped) {
  fprintf(file,
          "<total type=\"fast\" count=\"0\" size=\"0\"/>\n"
          "<total type=\"rest\" count=\"%lu\" size=\"%zu\"/>\n",
          number(slots->free_slots), free_bytes(slots));
  if (mapped)
    fprintf(file, "<total type=\"mmap\" count=\"%lu\" size=\"%lu\"/>\n",
            number(mapped->chunks), number(mapped->bytes));
  fprintf(file,
          "<system type=\"current\" size=\"%lu\"/>\n"
          "<system type=\"max\" size=\"%lu\"/>\n"
          "<aspace type=\"total\" size=\"%lu\"/>\n"
          "<aspace type=\"mprotect\" size=\"%lu\"/>\n",
          number(slots->bytes), number(slots->bytes), number(slots->bytes),
          number(slots->bytes));
}

int hp_malloc_info(int options, FILE *file) {
  if (HP_IS_ASKED(malloc_info))
    return hp_next.malloc_info(options, file);
  if (options != 0)
    return EINVAL;
  fputs("<malloc version=\"1\">\n<heap nr=\"0\">\n<sizes>\n", file);
  struct hp_slots_usage slots = {0};
  struct hp_mapped_usage mapped = {0};
  if (hp_init_state == HP_STARTED) {
    slots = hp_heap_slots(put_free, file);
    mapped = hp_heap_mapped();
  }
  fputs("</sizes>\n", file);
  put_totals(file, &slots, NULL);
  fputs("</heap>\n", file);
  put_totals(file, &slots, &mapped);
  fputs("</malloc>\n", file);
  return 0;
}

HP_WEAK(hp_malloc_usable_size) size_t malloc_usable_size(void *p);
HP_WEAK(hp_malloc_trim) int malloc_trim(size_t keep);
HP_WEAK(hp_mallopt) int mallopt(int parameter, int value);
HP_WEAK(hp_mallopt) int __libc_mallopt(int parameter, int value);
HP_WEAK(hp_mallinfo) struct mallinfo mallinfo(void);
HP_WEAK(hp_mallinfo) struct mallinfo __libc_mallinfo(void);
HP_WEAK(hp_mallinfo2) struct mallinfo2 mallinfo2(void);
HP_WEAK(hp_malloc_stats) void malloc_stats(void);
HP_WEAK(hp_malloc_info) int malloc_info(int options, FILE *file);
