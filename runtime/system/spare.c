/* spare.c - see spare.h: a mapping that is never touched.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/spare.h"

#include "system/limit.h"
#include "system/sanitizer_binding.h"

static struct {
  char *memory; /* NULL: none is kept */
  size_t size;  /* written by who is about to set `memory` */
  unsigned users;
} spare;

static char *exchange(char *with) {
  return __atomic_exchange_n(&spare.memory, with, __ATOMIC_ACQ_REL);
}

static void keep(void) {
  if (!hp_memory_is_limited())
    return;
  const uint64_t part = hp_limit_least() / 4 & ~(uint64_t)4095;
  size_t size = part < HP_SPARE_MOST ? (size_t)part : HP_SPARE_MOST;
  char *memory = NULL;
  while (!memory && size >= HP_SPARE_LEAST) {
    memory = hp_sys_map(size);
    if (!memory)
      size = size / 2 & ~(size_t)4095;
  }
  if (memory)
    spare.size = size;
  exchange(memory);
}

void hp_spare_start(void) {
  if (!spare.memory && !spare.users)
    keep();
}

void hp_spare_give(void) {
  __atomic_fetch_add(&spare.users, 1, __ATOMIC_ACQ_REL);
  char *memory = exchange(NULL);
  if (memory)
    hp_sys_unmap(memory, spare.size);
}

void hp_spare_take(void) {
  if (__atomic_sub_fetch(&spare.users, 1, __ATOMIC_ACQ_REL) == 0)
    keep();
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
  spare.users = 0;
  if (!spare.memory)
    keep();
}
