/* member_order.c - see member_order.h: the strictest alignment first leaves no holes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/member_order.h"

#include "base/growing_array.h"
#include "resolve/die_type.h"
#include "resolve/die_walk.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct items {
  struct hp_layout_item *all;
  size_t count, room;
  uint64_t start; /* what is before them stays */
  bool is_fixed, failed;
};

static bool is_pointer_to_functions(Dwarf_Die *member) {
  const char *name = dwarf_diename(member);
  return name && strncmp(name, "_vptr", 5) == 0;
}

/* Bit-fields that follow each other share what they lie in. */
static bool joins_bits(struct items *items, const struct hp_layout_item *item) {
  struct hp_layout_item *last =
      items->count ? &items->all[items->count - 1] : NULL;
  if (!item->is_bits || !last || !last->is_bits)
    return false;
  const uint64_t end = item->offset + item->size;
  last->size =
      end > last->offset + last->size ? end - last->offset : last->size;
  last->align = item->align > last->align ? item->align : last->align;
  return true;
}

static void add_item(struct items *items, Dwarf_Die *member) {
  struct hp_layout_item item = {.name = dwarf_diename(member)};
  Dwarf_Die type;
  uint64_t bits = 0, at = 0;
  if (!hp_die_type(member, &type)) {
    items->is_fixed = true;
    return;
  }
  item.is_bits = hp_die_number(member, DW_AT_bit_size, &bits);
  if (item.is_bits && hp_die_number(member, DW_AT_data_bit_offset, &at)) {
    item.offset = at / 8;
    item.size = (at % 8 + bits + 7) / 8;
  } else if (item.is_bits ||
             !hp_die_number(member, DW_AT_data_member_location, &item.offset) ||
             !hp_die_size(&type, &item.size)) {
    items->is_fixed = true;
    return;
  }
  if (!hp_die_number(member, DW_AT_alignment, &item.align))
    item.align = hp_die_align(&type);
  if (item.align == 0 || item.size == 0 ||
      (!item.is_bits && item.offset % item.align)) {
    items->is_fixed = true; /* packed, or goes on to the end, or not known */
    return;
  }
  if (item.is_bits) /* they need no more than their bytes */
    item.align = item.size >= item.align ? item.align : 1;
  if (joins_bits(items, &item))
    return;
  if (hp_room_for_one((void **)&items->all, items->count, &items->room,
                      sizeof *items->all))
    items->all[items->count++] = item;
  else
    items->failed = true;
}

static void collect(struct items *items, Dwarf_Die *record) {
  Dwarf_Die child;
  bool has_prefix = false;
  bool any = hp_die_first_child(record, &child);
  for (bool more = any; more; more = hp_die_next_sibling(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_inheritance)
      has_prefix = true;
    if (tag != DW_TAG_member || dwarf_hasattr(&child, DW_AT_external) ||
        dwarf_hasattr(&child, DW_AT_declaration))
      continue;
    if (is_pointer_to_functions(&child))
      has_prefix = true;
    else
      add_item(items, &child);
  }
  items->start = UINT64_MAX;
  for (size_t i = 0; i < items->count; i++)
    if (items->all[i].offset < items->start)
      items->start = items->all[i].offset;
  if (!has_prefix && items->start)
    items->is_fixed = true; /* not as this knows records */
}

static int by_align(const void *left, const void *right) {
  const struct hp_layout_item *a = left, *b = right;
  if (a->align != b->align)
    return a->align > b->align ? -1 : 1;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static uint64_t up_to(uint64_t at, uint64_t align) {
  return (at + align - 1) / align * align;
}

static uint64_t placed(const struct items *items, uint64_t align) {
  uint64_t at = items->start;
  for (size_t i = 0; i < items->count; i++)
    at = up_to(at, items->all[i].align) + items->all[i].size;
  return up_to(at, align);
}

static bool keep(struct hp_store *store, struct hp_layout *layout,
                 const struct items *items) {
  struct hp_layout_item *kept =
      hp_store_take(store, items->count + 1, sizeof *kept);
  if (!kept)
    return false;
  for (size_t i = 0; i < items->count; i++) {
    kept[i] = items->all[i];
    if (kept[i].name)
      kept[i].name = hp_store_text(store, kept[i].name, strlen(kept[i].name));
  }
  layout->items = kept;
  layout->item_count = items->count;
  return true;
}

static const char *order_of(struct hp_store *store, const struct items *items) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  for (size_t i = 0; i < items->count; i++)
    fprintf(out, "%s%s", i ? ", " : "",
            items->all[i].name ? items->all[i].name : "(unnamed)");
  const bool is_whole = fclose(out) == 0 && text;
  const char *kept = is_whole ? hp_store_text(store, text, length) : NULL;
  free(text);
  return kept;
}

bool hp_member_order(struct hp_store *store, Dwarf_Die *record,
                     struct hp_layout *layout) {
  struct items items = {0};
  if (layout->is_union || layout->is_incomplete || layout->has_virtual_bases ||
      layout->align == 0 || layout->size % layout->align)
    return true;
  collect(&items, record);
  if (!items.is_fixed && !items.failed && items.count > 0 &&
      placed(&items, layout->align) == layout->size) {
    items.failed = !keep(store, layout, &items);
    qsort(items.all, items.count, sizeof *items.all, by_align);
    const uint64_t size = placed(&items, layout->align);
    if (size < layout->size) {
      layout->order = order_of(store, &items);
      layout->reordered_size = size;
      items.failed = !layout->order;
    }
  }
  free(items.all);
  return !items.failed;
}

static bool begins_in(const struct hp_layout_member *m,
                      const struct hp_layout_item *item) {
  return m->kind != HP_LAYOUT_HOLE && m->offset >= item->offset &&
         m->offset < item->offset + item->size;
}

/* Each member that lies in ITEM is to go. */
bool hp_layout_item_goes(const struct hp_layout *layout, const bool *leave,
                         const struct hp_layout_item *item) {
  bool any = false;
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    if (!begins_in(m, item))
      continue;
    any = true;
    if (!leave[i])
      return false;
  }
  return any;
}

const struct hp_layout_item *hp_layout_item_at(const struct hp_layout *layout,
                                               uint64_t offset) {
  for (size_t i = 0; i < layout->item_count; i++) {
    const struct hp_layout_item *item = &layout->items[i];
    if (offset >= item->offset && offset < item->offset + item->size)
      return item;
  }
  return NULL;
}

/* A part of a member, or what is inherited: what is as large as the whole is aligned
   takes just its bytes along. */
static uint64_t bytes_of_parts(const struct hp_layout *layout,
                               const bool *leave) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    const struct hp_layout_item *item = hp_layout_item_at(layout, m->offset);
    if (leave[i] && !m->overlaps && m->kind != HP_LAYOUT_HOLE &&
        !(item && hp_layout_item_goes(layout, leave, item)) &&
        m->size % layout->align == 0)
      bytes += m->size * m->count;
  }
  return bytes;
}

uint64_t hp_layout_size_without(const struct hp_layout *layout,
                                const bool *leave) {
  if (layout->align == 0 || layout->is_union)
    return layout->size;
  uint64_t size = layout->size, at = 0;
  for (size_t i = 0; i < layout->item_count; i++) {
    const struct hp_layout_item *item = &layout->items[i];
    if (i == 0)
      at = item->offset;
    if (!hp_layout_item_goes(layout, leave, item))
      at = up_to(at, item->align) + item->size;
  }
  if (layout->item_count)
    size = up_to(at, layout->align);
  const uint64_t parts = bytes_of_parts(layout, leave);
  return size > parts ? size - parts : 0;
}

/* Bytes that ITEM would have: those of its only member, which is a number, else its
   own. */
static uint64_t need_of(const struct hp_layout *layout,
                        const struct hp_layout_item *item,
                        const uint64_t *needs) {
  bool any = false;
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    if (!begins_in(m, item))
      continue;
    if (m->offset == item->offset && m->size == item->size && m->is_integer)
      return needs[i];
    any = any || needs[i];
  }
  return any ? item->size : 0;
}

uint64_t hp_layout_size_of(const struct hp_layout *layout,
                           const uint64_t *needs) {
  struct items items = {.start = layout->size};
  items.all = calloc(layout->item_count + 1, sizeof *items.all);
  if (!items.all || layout->item_count == 0) {
    free(items.all);
    return layout->size;
  }
  for (size_t i = 0; i < layout->item_count; i++) {
    struct hp_layout_item item = layout->items[i];
    const uint64_t need = need_of(layout, &item, needs);
    items.start = item.offset < items.start ? item.offset : items.start;
    if (need < item.size)
      item.align = need < item.align ? need : item.align;
    item.size = need;
    if (need)
      items.all[items.count++] = item;
  }
  qsort(items.all, items.count, sizeof *items.all, by_align);
  uint64_t align = 1;
  for (size_t i = 0; i < items.count; i++)
    align = items.all[i].align > align ? items.all[i].align : align;
  const uint64_t size = placed(&items, items.start ? layout->align : align);
  free(items.all);
  return size < layout->size ? size : layout->size;
}
