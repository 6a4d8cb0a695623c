/* same_modules.c - see same_modules.h: each is compared with the one at the
   same place, so the order counts, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/same_modules.h"

#include <string.h>

static bool has_same_hooks(const struct hp_dump_module *a,
                           const struct hp_dump_module *b) {
  if (a->says_hooks != b->says_hooks ||
      a->hooked_functions != b->hooked_functions ||
      a->hooked_count != b->hooked_count)
    return false;
  for (size_t i = 0; i < a->hooked_count; i++)
    if (a->hooked[i].begin - a->bias != b->hooked[i].begin - b->bias ||
        a->hooked[i].end - a->bias != b->hooked[i].end - b->bias)
      return false;
  return true;
}

static bool is_same(const struct hp_dump_module *a,
                    const struct hp_dump_module *b) {
  return a->build_id_size == b->build_id_size && a->late == b->late &&
         strcmp(a->path, b->path) == 0 &&
         (a->build_id_size == 0 ||
          memcmp(a->build_id, b->build_id, a->build_id_size) == 0) &&
         has_same_hooks(a, b);
}

bool hp_has_same_modules(const struct hp_dump *a, const struct hp_dump *b) {
  if (a->module_count != b->module_count)
    return false;
  for (size_t i = 0; i < a->module_count; i++)
    if (!is_same(&a->modules[i], &b->modules[i]))
      return false;
  return true;
}
