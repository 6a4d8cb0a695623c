/* meter_arenas.c - see meter_arenas.h: malloc_info writes XML, of which the sums at its end are read.
   mallinfo2 comes first, since malloc_info's file is a chunk itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/meter_arenas.h"

#include "allocator_meter/meter_next.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char buffer[4096]; /* of the file */

static bool is_glibc(void) {
  const char *path = hp_next_library(), *slash = strrchr(path, '/');
  return strncmp(slash ? slash + 1 : path, "libc.so", 7) == 0 &&
         hp_next.mallinfo2 && hp_next.malloc_info;
}

/* The number behind the last BEGIN of TEXT, whose SIZE bytes end by '\0'; 0: it is not there. */
static uint64_t last_number(const char *text, const char *begin) {
  uint64_t number = 0;
  for (const char *at = text; (at = strstr(at, begin)) != NULL;) {
    at += strlen(begin);
    number = strtoull(at, NULL, 10);
  }
  return number;
}

static void read_info(struct hp_meter_arenas *arenas, const char *text) {
  for (const char *at = text; (at = strstr(at, "<heap nr=")) != NULL; at++)
    arenas->arenas++;
  arenas->system_bytes = last_number(text, "<system type=\"current\" size=\"");
  arenas->system_most_bytes = last_number(text, "<system type=\"max\" size=\"");
}

/* One byte more than was written, so that the text ends. */
static void map_info(struct hp_meter_arenas *arenas, int fd) {
  long size = syscall(SYS_lseek, fd, 0, SEEK_END);
  if (size <= 0 || ftruncate(fd, size + 1) != 0)
    return;
  char *text = mmap(NULL, (size_t)size + 1, PROT_READ, MAP_SHARED, fd, 0);
  if (text == MAP_FAILED)
    return;
  read_info(arenas, text);
  munmap(text, (size_t)size + 1);
}

void hp_meter_look_at_arenas(struct hp_meter_arenas *arenas) {
  if (!is_glibc())
    return;
  struct mallinfo2 info = hp_next.mallinfo2();
  *arenas = (struct hp_meter_arenas){.known = 1,
                                     .heap_bytes = info.arena,
                                     .mmap_bytes = info.hblkhd,
                                     .mmap_chunks = info.hblks,
                                     .in_use_bytes = info.uordblks,
                                     .free_bytes = info.fordblks,
                                     .free_chunks = info.ordblks + info.smblks,
                                     .fast_bytes = info.fsmblks,
                                     .fast_chunks = info.smblks,
                                     .top_bytes = info.keepcost};
  int fd = (int)syscall(SYS_memfd_create, "heapprof-arenas", MFD_CLOEXEC);
  FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (file) {
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    if (hp_next.malloc_info(0, file) == 0 && fflush(file) == 0)
      map_info(arenas, fd);
    fclose(file);
  } else if (fd >= 0) {
    close(fd);
  }
}
