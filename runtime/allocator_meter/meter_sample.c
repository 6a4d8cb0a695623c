/* meter_sample.c - see meter_sample.h: /proc/self/maps, statm, mincore.
   Regions are private mappings without a file that can be written; stacks, and what only libraries have, hold no chunk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/meter_sample.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REGIONS_MAX 65536u /* Linux allows 65530 mappings */
#define PAGE 4096ul
#define PAGES_AT_ONCE 65536u
#define LINE_MAX_BYTES 512u

struct region {
  uintptr_t begin, end, last; /* LAST: the end of its last chunk */
  uint64_t bytes;             /* of its chunks */
  bool heap;                  /* holds chunks, or did */
};

/* Of this look, and the heap's of the one before. */
struct regions {
  struct region *list;
  size_t count;
};
static struct regions now, before;
/* Where the loader put the first thread's block: the kernel makes one mapping of it
   and of what the allocator maps beside it. */
static struct region loaders;
#define LOADERS_MOST 65536u  /* bytes; what is larger is joined already */
static unsigned char *pages; /* of mincore */

static void *take(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static bool have_memory(void) {
  if (!now.list)
    now.list = take(REGIONS_MAX * sizeof *now.list);
  if (!before.list)
    before.list = take(REGIONS_MAX * sizeof *before.list);
  if (!pages)
    pages = take(PAGES_AT_ONCE);
  return now.list && before.list && pages;
}

/* ---- /proc/self/maps ------------------------------------------------------- */

static uintptr_t hex(const char **text) {
  uintptr_t value = 0;
  for (; **text; ++*text) {
    char c = **text;
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                       : -1;
    if (digit < 0)
      break;
    value = value * 16 + (uintptr_t)digit;
  }
  return value;
}

static void add_mapping(uintptr_t begin, uintptr_t end, bool heap) {
  if (begin < end && now.count < REGIONS_MAX)
    now.list[now.count++] = (struct region){
        .begin = begin, .end = end, .last = begin, .heap = heap};
}

/* "7f0-7f1 rw-p 00000000 00:00 0      [heap]" */
static void take_line(const char *line) {
  struct region region = {.begin = hex(&line)};
  if (*line++ != '-')
    return;
  region.end = hex(&line);
  if (strncmp(line, " rw-p ", 6) != 0 && strncmp(line, " rwxp ", 6) != 0)
    return;
  line += 6;
  for (int field = 0; field < 2; field++) {
    line += strcspn(line, " ");
    line += strspn(line, " ");
  }
  if (line[0] != '0' || line[1] != ' ') /* its file's number */
    return;
  line += 1 + strspn(line + 1, " ");
  region.heap = strncmp(line, "[heap]", 6) == 0;
  if (*line != '\0' && !region.heap && strncmp(line, "[anon", 5) != 0)
    return;
  const bool has_loaders =
      region.begin <= loaders.begin && loaders.begin < region.end;
  const uintptr_t cut = has_loaders ? loaders.begin : region.end;
  add_mapping(region.begin, cut, region.heap);
  add_mapping(has_loaders ? loaders.end : cut, region.end, region.heap);
}

/* Lines longer than a line need be are cut: what counts is in front. */
static bool read_maps(void) {
  char buffer[4096], line[LINE_MAX_BYTES];
  size_t used = 0;
  long got;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps",
                        O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  now.count = 0;
  while ((got = syscall(SYS_read, fd, buffer, sizeof buffer)) > 0)
    for (long i = 0; i < got; i++)
      if (buffer[i] == '\n') {
        line[used] = '\0';
        take_line(line);
        used = 0;
      } else if (used < sizeof line - 1) {
        line[used++] = buffer[i];
      }
  syscall(SYS_close, fd);
  return got == 0 && now.count > 0;
}

static uint64_t read_rss(void) {
  char text[128] = "";
  int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/statm",
                        O_RDONLY | O_CLOEXEC);
  long got = fd < 0 ? -1 : syscall(SYS_read, fd, text, sizeof text - 1);
  if (fd >= 0)
    syscall(SYS_close, fd);
  if (got <= 0)
    return 0;
  return strtoull(text + strcspn(text, " "), NULL, 10) * PAGE;
}

/* ---- chunks in regions ------------------------------------------------------- */

static void place(void *context, const struct hp_meter_live_chunk *chunk) {
  struct hp_meter_sample *sample = context;
  size_t low = 0, high = now.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (now.list[middle].end <= chunk->address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == now.count || now.list[low].begin > chunk->address)
    return;
  struct region *region = &now.list[low];
  uintptr_t end = chunk->address + chunk->bytes;
  region->heap = true;
  region->bytes += chunk->bytes;
  if (end > region->last)
    region->last = end;
  sample->placed_bytes += chunk->bytes;
}

/* Both lists ascend. */
static void mark_known(void) {
  size_t j = 0;
  for (size_t i = 0; i < now.count; i++) {
    while (j < before.count && before.list[j].end <= now.list[i].begin)
      j++;
    if (j < before.count && before.list[j].begin < now.list[i].end)
      now.list[i].heap = true;
  }
}

static uint64_t resident_of(const struct region *region) {
  uint64_t resident = 0;
  uintptr_t at = region->begin;
  while (at < region->end) {
    size_t count = (region->end - at) / PAGE;
    if (count > PAGES_AT_ONCE)
      count = PAGES_AT_ONCE;
    if (mincore((void *)at, count * PAGE, pages) == 0)
      for (size_t i = 0; i < count; i++)
        resident += (pages[i] & 1u) * PAGE;
    at += count * PAGE;
  }
  return resident;
}

static void add_region(struct hp_meter_sample *sample,
                       const struct region *region) {
  uint64_t span = region->last - region->begin;
  sample->mapped_bytes += region->end - region->begin;
  sample->resident_bytes += resident_of(region);
  sample->span_bytes += span;
  if (region->bytes) {
    sample->regions++;
    sample->fragmentation_sum += (double)(span - region->bytes) / (double)span;
  } else {
    sample->empty_regions++;
  }
}

void hp_meter_look_first(void) {
  const uintptr_t block = (uintptr_t)pthread_self();
  if (!have_memory() || !read_maps())
    return;
  for (size_t i = 0; i < now.count; i++)
    if (now.list[i].begin <= block && block < now.list[i].end &&
        now.list[i].end - now.list[i].begin <= LOADERS_MOST)
      loaders = now.list[i];
}

bool hp_meter_look(struct hp_meter_live_table *table,
                   struct hp_meter_sample *sample) {
  if (!have_memory() || !read_maps())
    return false;
  hp_meter_walk(table, place, sample);
  mark_known();
  before.count = 0;
  for (size_t i = 0; i < now.count; i++)
    if (now.list[i].heap) {
      add_region(sample, &now.list[i]);
      before.list[before.count++] = now.list[i];
    }
  sample->rss_bytes = read_rss();
  return true;
}
