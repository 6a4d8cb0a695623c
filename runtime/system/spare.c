/* spare.c - see spare.h: a mapping that is never touched.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/spare.h"

#include "system/limit.h"
#include "system/memory.h"

/* Where it is, and how many pages, in one word, so that who exchanges that has
   it alone: a handler of a signal may come at any time.
     bits 0..11   pages
     bits 12..63  the address's own
   0: none is kept. */
#define PAGE ((size_t)4096)
static uintptr_t kept;
_Static_assert(HP_SPARE_MOST / PAGE < PAGE, "pages fit below the address");

static unsigned users;

static uintptr_t exchange(uintptr_t with) {
  return __atomic_exchange_n(&kept, with, __ATOMIC_ACQ_REL);
}

static char *memory_of(uintptr_t word) { return (char *)(word - word % PAGE); }
static size_t size_of(uintptr_t word) { return word % PAGE * PAGE; }

static void give_back(uintptr_t word) {
  if (word)
    hp_sys_unmap(memory_of(word), size_of(word));
}

/* WORD is kept again, unless somebody needs it now. */
static void put(uintptr_t word) {
  give_back(exchange(word));
  if (__atomic_load_n(&users, __ATOMIC_ACQUIRE))
    give_back(exchange(0));
}

/* As much as there is, if it is more than before. */
static void keep(void) {
  if (!hp_memory_is_limited())
    return;
  const uint64_t part = hp_limit_least() / 4 & ~(uint64_t)(PAGE - 1);
  const size_t before = size_of(__atomic_load_n(&kept, __ATOMIC_RELAXED));
  size_t size = part < HP_SPARE_MOST ? (size_t)part : HP_SPARE_MOST;
  char *memory = NULL;
  while (!memory && size >= HP_SPARE_LEAST && size > before) {
    memory = hp_sys_map(size);
    if (!memory)
      size = size / 2 & ~(PAGE - 1);
  }
  if (memory)
    put((uintptr_t)memory | size / PAGE);
}

void hp_spare_keep(void) {
  if (!__atomic_load_n(&users, __ATOMIC_ACQUIRE))
    keep();
}

void hp_spare_give(void) {
  __atomic_fetch_add(&users, 1, __ATOMIC_ACQ_REL);
  give_back(exchange(0));
}

void hp_spare_take(void) {
  if (__atomic_sub_fetch(&users, 1, __ATOMIC_ACQ_REL) == 0)
    keep();
}

bool hp_spare_yield(size_t size, size_t floor) {
  const size_t bytes = (size + PAGE - 1) & ~(PAGE - 1);
  const uintptr_t word = exchange(0);
  const bool enough = size_of(word) >= floor + bytes;
  if (enough)
    hp_sys_unmap(memory_of(word) + size_of(word) - bytes, bytes);
  if (word)
    put(enough ? word - bytes / PAGE : word);
  return enough;
}

bool hp_spare_is_untouched(void) {
  if (!hp_memory_is_limited())
    return true;
  char *memory = hp_sys_map(HP_SPARE_MOST);
  if (memory)
    hp_sys_unmap(memory, HP_SPARE_MOST);
  return memory != NULL;
}

void hp_spare_after_fork_child(void) {
  users = 0;
  keep();
}
