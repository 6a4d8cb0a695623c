/* hooked_ranges.c - see hooked_ranges.h: distances become addresses once.
   A module of a hundred thousand functions is asked by bisection.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/hooked_ranges.h"

#include "base/failure.h"

static bool take_pair(struct hp_cursor *list, uint64_t *gap, uint64_t *size) {
  return hp_take_varint(list, gap) && hp_take_varint(list, size);
}

hp_status hp_hooked_ranges_read(struct hp_dump_module *module,
                                struct hp_cursor list, struct hp_store *store,
                                bool *good, struct hp_error *error) {
  struct hp_cursor ahead = list;
  uint64_t gap, size, at = module->start;
  size_t count = 0;
  *good = true;
  while (ahead.at != ahead.end && (*good = take_pair(&ahead, &gap, &size)))
    count++;
  struct hp_hooked_range *ranges = hp_store_take(store, count, sizeof *ranges);
  if (!ranges)
    return hp_fail_memory(error);
  for (size_t i = 0; *good && i < count; i++) {
    take_pair(&list, &gap, &size);
    *good = at <= module->end && gap <= module->end - at &&
            size <= module->end - at - gap;
    ranges[i].begin = at + gap;
    ranges[i].end = at = ranges[i].begin + size;
  }
  module->hooked = ranges;
  module->hooked_count = *good ? count : 0;
  return HP_OK;
}

bool hp_is_hooked(const struct hp_dump_module *module, uint64_t address) {
  if (!module->says_hooks)
    return true;
  size_t low = 0, high = module->hooked_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (module->hooked[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < module->hooked_count && module->hooked[low].begin <= address;
}

bool hp_lacks_modules(const struct hp_dump *dump) {
  return !dump->complete && dump->module_count == 0;
}

bool hp_says_hooks(const struct hp_dump *dump) {
  if (hp_lacks_modules(dump))
    return true;
  for (size_t i = 0; i < dump->module_count; i++)
    if (dump->modules[i].says_hooks)
      return true;
  return false;
}
