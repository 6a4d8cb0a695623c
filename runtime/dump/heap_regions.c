/* heap_regions.c - see heap_regions.h: rows of numbers, as the format has them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/heap_regions.h"

#include "chunk/live_chunks.h"
#include "heapprof_format.h"
#include "options/options.h"

static struct hp_bytes list;

static void put_region(const struct hp_heap_region *region, void *unused) {
  (void)unused;
  hp_put_varint(&list, region->begin);
  hp_put_varint(&list, region->used);
  hp_put_varint(&list, region->slot);
  hp_put_varint(&list, region->is_apart ? HP_REGION_APART : 0);
  hp_put_varint(&list, region->chunks);
}

void hp_heap_regions_take(const struct hp_live_chunks *live) {
  hp_heap_regions_free();
  if (hp_options.addresses)
    live->each_region(put_region, NULL);
}

size_t hp_heap_regions_put(struct hp_bytes *payload) {
  if (!hp_options.addresses || list.failed)
    return 0;
  hp_put_bytes_field(payload, HP_END_heap_regions, list.data, list.size);
  return 1;
}

void hp_heap_regions_free(void) { hp_bytes_free(&list); }
