/* spill.c - cuts blocks from parts of a file that are mapped one by one.
   Room on the disk is taken before it is mapped: a full disk is no fault then.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/spill.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PART_SIZE ((size_t)64 << 20)

struct hp_spill_part {
  struct hp_spill_part *older;
  uint8_t *at;
  size_t size, used;
};

static int file_in(const char *folder) {
  int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0)
    return file;
  char *path = NULL;
  if (asprintf(&path, "%s/heapprof.XXXXXX", folder) < 0)
    return -1;
  file = mkostemp(path, O_CLOEXEC);
  if (file >= 0)
    unlink(path);
  free(path);
  return file;
}

/* Not in /tmp if it can be helped: it may be in memory. */
static int temporary_file(void) {
  const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
  int file = -1;
  for (size_t i = 0; file < 0 && i < sizeof folders / sizeof *folders; i++)
    if (folders[i] && *folders[i])
      file = file_in(folders[i]);
  return file;
}

static struct hp_spill_part *map_part(struct hp_spill *spill, size_t size) {
  struct hp_spill_part *part = malloc(sizeof *part);
  if (!part)
    return NULL;
  *part = (struct hp_spill_part){.size = size};
  void *at = MAP_FAILED;
  if (posix_fallocate(spill->file, (off_t)spill->file_size, (off_t)size) == 0)
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, spill->file,
              (off_t)spill->file_size);
  if (at == MAP_FAILED) {
    free(part);
    return NULL;
  }
  part->at = at;
  spill->file_size += size;
  return part;
}

static bool add_part(struct hp_spill *spill, size_t least) {
  if (!spill->is_open) {
    spill->file = temporary_file();
    spill->is_open = spill->file >= 0;
  }
  struct hp_spill_part *part =
      spill->is_open ? map_part(spill, least > PART_SIZE ? least : PART_SIZE)
                     : NULL;
  spill->has_failed = !part;
  if (!part)
    return false;
  part->older = spill->newest;
  spill->newest = part;
  return true;
}

void *hp_spill_take(struct hp_spill *spill, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (spill->has_failed)
    return NULL;
  struct hp_spill_part *part = spill->newest;
  if ((!part || part->size - part->used < size) && !add_part(spill, size))
    return NULL;
  hp_spill_use(spill, size);
  part = spill->newest;
  part->used += size;
  return part->at + part->used - size;
}

void hp_spill_use(struct hp_spill *spill, size_t bytes) {
  spill->used += bytes;
  if (!hp_spill_is_due(spill, spill->used))
    return;
  spill->used = 0;
  for (const struct hp_spill_part *p = spill->newest; p; p = p->older)
    madvise(p->at, p->size, MADV_DONTNEED); /* they stay in the file */
}

void hp_spill_close(struct hp_spill *spill) {
  for (struct hp_spill_part *p = spill->newest, *older; p; p = older) {
    older = p->older;
    munmap(p->at, p->size);
    free(p);
  }
  if (spill->is_open)
    close(spill->file);
  *spill = (struct hp_spill){0};
}
