/* stack.c - resolves call stacks.
   A return address lies behind its call, hence 1 is taken off before lookup.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stack.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "site.h"

static const struct hp_dump_module *module_at(const struct hp_dump *dump,
                                              uint64_t address, uint64_t time) {
  for (size_t i = 0; i < dump->module_count; i++) {
    const struct hp_dump_module *m = &dump->modules[i];
    if (m->start <= address && address < m->end && m->loaded <= time &&
        time < m->unloaded)
      return m;
  }
  return NULL;
}

/* When code of the point ran: its first chunk that is known began. */
static uint64_t time_of(const struct hp_dump *dump,
                        const struct hp_dump_point *point) {
  if (point->chunks.count)
    return point->chunks.first_t0;
  if (point->summary && point->summary->group_count)
    return point->summary->groups[0].first;
  return dump->end.end;
}

/* A module noticed only after the point's first allocation is better than
   none. */
const struct hp_dump_module *hp_stack_module(const struct hp_dump *dump,
                                             const struct hp_dump_point *point,
                                             uint64_t call) {
  uint64_t time = time_of(dump, point);
  const struct hp_dump_module *found = module_at(dump, call, time);
  for (size_t i = 0; !found && i < dump->module_count; i++) {
    const struct hp_dump_module *m = &dump->modules[i];
    if (m->start <= call && call < m->end && m->loaded > time)
      found = m;
  }
  return found;
}

struct frames {
  const struct hp_frame **items;
  size_t count, capacity;
};

static bool append(struct frames *to, const struct hp_frame *from,
                   size_t count) {
  if (count > to->capacity - to->count) {
    size_t capacity = 2 * to->capacity + count + 16;
    const struct hp_frame **items =
        reallocarray(to->items, capacity, sizeof *items);
    if (!items)
      return false;
    to->items = items;
    to->capacity = capacity;
  }
  for (size_t i = 0; i < count; i++)
    to->items[to->count++] = &from[i];
  return true;
}

/* Outside all modules there is no more to say than the address. */
static const struct hp_frame *bare_frame(struct hp_store *store,
                                         uint64_t address) {
  struct hp_frame *frame = hp_store_take(store, 1, sizeof *frame);
  if (frame)
    frame->address = address;
  return frame;
}

static hp_status resolve_all(struct frames *frames, struct hp_store *store,
                             hp_symbolizer *symbolizer,
                             const struct hp_dump *dump,
                             const struct hp_dump_point *raw,
                             struct hp_error *error) {
  for (size_t i = 0; i < raw->stack_count; i++) {
    uint64_t call = raw->stack[i] - 1;
    const struct hp_dump_module *m = hp_stack_module(dump, raw, call);
    const struct hp_frame *found;
    size_t count = 1;
    if (m) {
      const struct hp_symbol_module module = {m->path, m->build_id,
                                              m->build_id_size};
      HP_TRY(hp_symbolizer_frames(symbolizer, &module, call - m->bias, &found,
                                  &count, error));
    } else {
      found = bare_frame(store, call);
    }
    if (!found || !append(frames, found, count))
      return hp_fail_memory(error);
  }
  return HP_OK;
}

hp_status hp_stack_resolve(struct hp_store *store, hp_symbolizer *symbolizer,
                           const struct hp_dump *dump,
                           const struct hp_dump_point *raw,
                           struct hp_point *point, struct hp_error *error) {
  struct frames frames = {0};
  hp_status status = resolve_all(&frames, store, symbolizer, dump, raw, error);
  if (status == HP_OK) {
    size_t skip = hp_site_skip(frames.items, frames.count);
    size_t count = frames.count - skip;
    const struct hp_frame **kept = hp_store_take(store, count, sizeof *kept);
    if (!kept)
      status = hp_fail_memory(error);
    else if (count)
      memcpy(kept, frames.items + skip, count * sizeof *kept);
    point->stack = kept;
    point->stack_count = count;
    point->site = kept ? hp_site_of(kept, count) : NULL;
  }
  free(frames.items);
  return status;
}
