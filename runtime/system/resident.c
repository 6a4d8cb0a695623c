/* resident.c - see resident.h: a word for each page, read many at a time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/resident.h"

#include "system/files.h"

#define WORDS 1024u /* of so many pages, 4 MiB */
#define PRESENT ((uint64_t)1 << 63)
#define OWN ((uint64_t)1 << 56) /* mapped here and nowhere else */

static struct {
  int fd;
  uint64_t mask;
  uintptr_t first; /* number of the first page in `words` */
  uintptr_t count; /* pages there */
  uint64_t words[WORDS];
} pages = {.fd = -1};

bool hp_resident_open(void) {
  pages.fd = hp_sys_open("/proc/self/pagemap");
  hp_resident_only_own(false);
  return pages.fd >= 0;
}

void hp_resident_only_own(bool only_own) {
  pages.mask = only_own ? PRESENT | OWN : PRESENT;
  pages.count = 0;
}

void hp_resident_close(void) {
  if (pages.fd >= 0)
    hp_sys_close(pages.fd);
  pages.fd = -1;
}

static void read_from(uintptr_t page) {
  const long size = hp_sys_read_at(pages.fd, pages.words, sizeof pages.words,
                                   (uint64_t)page * sizeof *pages.words);
  pages.first = page;
  pages.count = size > 0 ? (uintptr_t)size / sizeof *pages.words : 0;
}

bool hp_resident_at(uintptr_t address) {
  const uintptr_t page = address / HP_RESIDENT_PAGE;
  if (page - pages.first >= pages.count)
    read_from(page);
  return page - pages.first < pages.count &&
         (pages.words[page - pages.first] & pages.mask) == pages.mask;
}

uint64_t hp_resident_bytes(uintptr_t begin, uintptr_t end) {
  uint64_t bytes = 0;
  for (uintptr_t at = begin & ~(HP_RESIDENT_PAGE - 1); at < end;
       at += HP_RESIDENT_PAGE)
    bytes += hp_resident_at(at) ? HP_RESIDENT_PAGE : 0;
  return bytes;
}
