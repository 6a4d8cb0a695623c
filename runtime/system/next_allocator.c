/* next_allocator.c - see next_allocator.h: the lookup of symbol_lookup.h, which does not allocate.
   The path is copied, since a library may be gone when the dump is written.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/next_allocator.h"

#include "system/loaded_modules.h"
#include "system/symbol_lookup.h"

struct hp_next_allocator hp_next;
static char path[512];

static void copy_path(const struct hp_sys_module *module, void *arg) {
  const uintptr_t at = (uintptr_t)hp_next.malloc;
  size_t size = 0;
  (void)arg;
  if (at < module->start || at >= module->end)
    return;
  for (; module->path[size] && size < sizeof path - 1; size++)
    path[size] = module->path[size];
  path[size] = '\0';
}

#define FIND(name)                                                             \
  (hp_next.name = (__typeof__(hp_next.name))hp_symbol_next(#name, NULL))

bool hp_next_find(void) {
  FIND(malloc_usable_size);
  FIND(malloc_trim);
  FIND(mallopt);
  FIND(mallinfo);
  FIND(mallinfo2);
  FIND(malloc_stats);
  FIND(malloc_info);
  const bool good = FIND(malloc) && FIND(free) && FIND(calloc) &&
                    FIND(realloc) && FIND(memalign);
  if (good)
    hp_sys_modules(copy_path, NULL);
  return good;
}

const char *hp_next_path(void) { return path; }
