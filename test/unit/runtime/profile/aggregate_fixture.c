/* aggregate_fixture.c - see aggregate_fixture.h.
   Anything that is no record of aggregate.h aborts the test.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "aggregate_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "origin/point.h"
#include "read/record.h"
#include "system/memory.h"
#include "system/real_libc.h"

size_t hp_fixture_commits_left = SIZE_MAX;

/* ---- the system ---------------------------------------------------------- */

void *hp_sys_reserve(size_t size) {
  void *p = mmap(NULL, size, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

bool hp_sys_commit(void *p, size_t size) {
  if (hp_fixture_commits_left == 0)
    return false;
  hp_fixture_commits_left--;
  return mprotect(p, size, PROT_READ | PROT_WRITE) == 0;
}

bool hp_sys_reserve_at(void *p, size_t size) {
  (void)p;
  (void)size;
  return false;
}
void hp_sys_uncommit(void *p, size_t size) {
  (void)p;
  (void)size;
}

void hp_sys_populate(void *p, size_t size) {
  (void)p;
  (void)size;
}
void hp_sys_collapse(void *p, size_t size) {
  (void)p;
  (void)size;
}
void hp_sys_release(void *p, size_t size) {
  if (madvise(p, size, MADV_DONTNEED) != 0)
    abort();
}

void *hp_sys_map(size_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* One thread. */
void hp_lock_take(struct hp_lock *lock) { (void)lock; }
void hp_lock_release(struct hp_lock *lock) { (void)lock; }
bool hp_lock_try(struct hp_lock *lock) {
  (void)lock;
  return true;
}

void hp_sys_unmap(void *p, size_t size) {
  if (munmap(p, size) != 0)
    abort();
}

void *hp_real_memcpy(void *to, const void *from, size_t n) {
  return memcpy(to, from, n);
}

void *hp_real_memset(void *to, int byte, size_t n) {
  return memset(to, byte, n);
}

/* ---- points -------------------------------------------------------------- */

uint64_t hp_fixture_element_size(uint32_t point) {
  return point % 3 == 1 ? 1 + point % 13 : 0;
}

static struct hp_type type;

const struct hp_alloc_point *hp_point_get(uint32_t id) {
  static struct hp_alloc_point point;
  type.element_size = hp_fixture_element_size(id);
  point.type = id % 3 ? 1 : 0;
  return &point;
}

const struct hp_type *hp_type_of_low(uint32_t low) {
  return low ? &type : NULL;
}

/* ---- records ------------------------------------------------------------- */

static void require(bool good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "aggregate_fixture: %s\n", what);
  abort();
}

void hp_fields_add(struct hp_fields *fields, unsigned tag, uint64_t value) {
  require(tag < HP_TAGS, "a tag beyond the list");
  require(fields->counts[tag] < HP_LIST_MAX, "a list that is too long");
  fields->values[tag][fields->counts[tag]++] = value;
}

void hp_fields_set(struct hp_fields *fields, unsigned tag, uint64_t value) {
  if (value)
    hp_fields_add(fields, tag, value);
}

void hp_fields_add_wide(struct hp_fields *fields, unsigned tag,
                        unsigned __int128 value) {
  hp_fields_add(fields, tag, (uint64_t)value);
  hp_fields_add(fields, tag, (uint64_t)(value >> 64));
}

void hp_fields_read(struct hp_fields *fields, const uint8_t *data,
                    size_t size) {
  struct hp_cursor at = {data, data + size};
  memset(fields->counts, 0, sizeof fields->counts);
  while (at.at != at.end) {
    struct hp_field field;
    require(hp_take_field(&at, &field), "a field is cut");
    require(field.tag < HP_TAGS && fields->counts[field.tag] == 0,
            "a field is there twice");
    while (field.contents.at != field.contents.end) {
      uint64_t value;
      require(hp_take_varint(&field.contents, &value), "a number is cut");
      hp_fields_add(fields, (unsigned)field.tag, value);
    }
    require(fields->counts[field.tag] > 0, "a field without a number");
  }
}
