/* record_layout.c - see record_layout.h: an entry of DWARF, taken apart.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/record_layout.h"

#include "base/growing_array.h"
#include "base/same_text.h"
#include "resolve/die_type.h"
#include "resolve/die_walk.h"
#include "resolve/member_order.h"
#include "resolve/virtual_base.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MOST 4096u
#define DEPTH_MAX 32u /* records in records */

struct extent {
  uint64_t begin, end;
};

/* A virtual base that has its members already: others inherit it, too. */
struct virtual_base {
  uint64_t type, at; /* offset of its entry; in the whole */
};

struct building {
  struct hp_store *store;
  Dwarf *program;
  struct hp_layout *layout;
  struct hp_layout_member *members;
  size_t count, room;
  struct extent *arrays; /* of records: all of their bytes */
  size_t array_count, array_room;
  struct hp_vtables
      vtables; /* of the whole, asked for when a base needs them */
  bool is_asked;
  struct virtual_base *bases;
  size_t base_count, base_room;
  bool lacks_bases; /* virtual ones of which nobody knows where */
  bool failed;
};

/* Where a record lies in the whole. */
struct place {
  const char *prefix, *base; /* "head."; class it is a base of, or NULL */
  uint64_t at, count, stride;
  unsigned depth;
  bool is_member; /* of the whole, or of a base: not the whole's own part */
};

static bool add(struct building *b, struct hp_layout_member member) {
  if (b->count >= MEMBERS_MOST) {
    b->layout->is_incomplete = true;
    return false;
  }
  if (!hp_room_for_one((void **)&b->members, b->count, &b->room,
                       sizeof *b->members)) {
    b->failed = true;
    return false;
  }
  b->members[b->count++] = member;
  return true;
}

static const char *joined(struct building *b, const char *prefix,
                          const char *name, const char *ending) {
  const size_t size = strlen(prefix) + strlen(name) + strlen(ending) + 1;
  char *text = hp_store_take(b->store, size, 1);
  if (!text) {
    b->failed = true;
    return "";
  }
  snprintf(text, size, "%s%s%s", prefix, name, ending);
  return text;
}

/* ---- holes --------------------------------------------------------------- */

static int by_begin(const void *left, const void *right) {
  const struct extent *a = left, *b = right;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* What no member from FIRST on has of [BEGIN, END). */
static void add_holes(struct building *b, size_t first, uint64_t begin,
                      uint64_t end, const struct place *p) {
  const size_t own = b->count - first;
  struct extent *all = calloc(own + b->array_count + 1, sizeof *all);
  size_t n = 0;
  if (!all) {
    b->failed = true;
    return;
  }
  for (size_t i = first; i < b->count; i++)
    if (b->members[i].count == p->count)
      all[n++] = (struct extent){b->members[i].offset,
                                 b->members[i].offset + b->members[i].size};
  for (size_t i = 0; p->count == 1 && i < b->array_count; i++)
    all[n++] = b->arrays[i];
  qsort(all, n, sizeof *all, by_begin);
  all[n++] = (struct extent){end, end};
  for (size_t i = 0; i < n; i++) {
    if (all[i].begin > begin && begin < end) {
      const uint64_t size = (all[i].begin < end ? all[i].begin : end) - begin;
      if (add(b, (struct hp_layout_member){.name = "",
                                           .offset = begin,
                                           .size = size,
                                           .count = p->count,
                                           .stride = p->stride,
                                           .kind = HP_LAYOUT_HOLE}))
        b->layout->hole_bytes += size * p->count;
    }
    begin = all[i].end > begin ? all[i].end : begin;
  }
  free(all);
}

/* ---- members ------------------------------------------------------------- */

static void add_record(struct building *b, Dwarf_Die *record,
                       const struct place *p);

/* Of the records of TYPE, N of them side by side. */
static void add_array(struct building *b, Dwarf_Die *record,
                      const struct place *p, const char *name, uint64_t at,
                      uint64_t n) {
  const size_t first = b->count;
  uint64_t stride;
  if (!hp_die_size(record, &stride) || stride == 0)
    return;
  const struct place of = {joined(b, p->prefix, name, "[]."),
                           p->base,
                           at,
                           n,
                           stride,
                           p->depth + 1,
                           true};
  add_record(b, record, &of);
  if (n == 1)
    return; /* its holes are found with all others */
  add_holes(b, first, at, at + stride, &of);
  if (!hp_room_for_one((void **)&b->arrays, b->array_count, &b->array_room,
                       sizeof *b->arrays)) {
    b->failed = true;
    return;
  }
  b->arrays[b->array_count++] = (struct extent){at, at + n * stride};
}

static bool has_members(Dwarf_Die *record) {
  Dwarf_Die child;
  bool any = hp_die_first_child(record, &child);
  for (bool more = any; more; more = hp_die_next_sibling(&child, &child))
    if (dwarf_tag(&child) == DW_TAG_member ||
        dwarf_tag(&child) == DW_TAG_inheritance)
      return true;
  return false;
}

/* Where MEMBER is: byte, and bit of it; false: not in the record, or not known. */
static bool place_of(const struct building *b, Dwarf_Die *member, uint64_t *at,
                     uint32_t *bit, uint32_t *bits) {
  uint64_t number = 0, width = 0;
  *at = *bit = *bits = 0;
  if (hp_die_number(member, DW_AT_bit_size, &width))
    *bits = width > 128 ? 128 : (uint32_t)width;
  if (*bits && hp_die_number(member, DW_AT_data_bit_offset, &number)) {
    *at = number / 8;
    *bit = (uint32_t)(number % 8);
    return true;
  }
  if (!dwarf_hasattr(member, DW_AT_data_member_location))
    return !dwarf_hasattr(member, DW_AT_external) &&
           !dwarf_hasattr(member, DW_AT_declaration);
  if (!hp_die_number(member, DW_AT_data_member_location, at)) {
    b->layout->is_incomplete = true;
    return false;
  }
  uint64_t unit;
  if (*bits && hp_die_number(member, DW_AT_bit_offset, &number) &&
      hp_die_number(member, DW_AT_byte_size, &unit) &&
      number + width <= unit * 8) { /* DWARF 3, of the highest bit */
    number = unit * 8 - number - width;
    *at += number / 8;
    *bit = (uint32_t)(number % 8);
  }
  return true;
}

static bool is_integer(Dwarf_Die *bare) {
  uint64_t encoding;
  const int tag = dwarf_tag(bare);
  return tag == DW_TAG_enumeration_type ||
         (tag == DW_TAG_base_type &&
          hp_die_number(bare, DW_AT_encoding, &encoding) &&
          (encoding == DW_ATE_signed || encoding == DW_ATE_unsigned));
}

static void add_leaf(struct building *b, Dwarf_Die *type, const struct place *p,
                     const char *name, uint64_t at, uint32_t bit,
                     uint32_t bits) {
  struct hp_layout_member m = {.name = joined(b, p->prefix, name, ""),
                               .base = p->base,
                               .type = hp_die_spelling(b->store, type),
                               .offset = at,
                               .count = p->count,
                               .stride = p->stride,
                               .bit = bit,
                               .bits = bits};
  Dwarf_Die bare, element;
  const bool is_bare = hp_die_peel(type, &bare);
  m.is_integer = is_bare && !bits && is_integer(&bare);
  m.is_empty = is_bare && hp_die_is_record(&bare) && !has_members(&bare) &&
               !dwarf_hasattr(&bare, DW_AT_declaration);
  if (bits)
    m.size = (bit + bits + 7) / 8;
  else if (!hp_die_size(type, &m.size)) {
    b->layout->is_incomplete = true; /* up to the next one, see finish() */
    m.size = 0;
  }
  if (is_bare && dwarf_tag(&bare) == DW_TAG_array_type) {
    m.is_flexible = hp_die_elements(&bare) == 0;
    if (hp_die_type(&bare, &element) && !hp_die_size(&element, &m.element))
      m.element = 0;
  }
  if (strncmp(name, "_vptr", 5) == 0) {
    m.kind = HP_LAYOUT_POINTER;
    m.name = joined(b, p->prefix, "vptr", "");
  }
  if (m.size || m.is_flexible || b->layout->is_incomplete)
    add(b, m);
}

/* What holds an object of a type until it is made, of the C++ library. */
static bool is_buffer_of(Dwarf_Die *record, Dwarf_Die *held) {
  const char *name = dwarf_diename(record);
  Dwarf_Die child;
  if (!name || (strncmp(name, "__aligned_membuf", 16) != 0 &&
                strncmp(name, "__aligned_buffer", 16) != 0))
    return false;
  bool any = hp_die_first_child(record, &child);
  for (bool more = any; more; more = hp_die_next_sibling(&child, &child))
    if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
      return hp_die_type(&child, held) && hp_die_peel(held, held) &&
             hp_die_is_record(held) &&
             !dwarf_hasattr(held, DW_AT_declaration) && has_members(held);
  return false;
}

/* A library's own, such as a string or a mutex, which a program uses as one; but
   not what only puts members together, nor what begins like the library's nodes. */
static bool is_used_whole(Dwarf_Die *record) {
  static const char *const open[] = {"_", "pair<", "tuple<", "array<"};
  const char *name = dwarf_diename(record), *file = hp_die_file(record), *first;
  Dwarf_Die child;
  if (name && file && strstr(file, "/c++/")) {
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
      if (strncmp(name, open[i], strlen(open[i])) == 0)
        return false;
    return true;
  }
  return hp_die_first_child(record, &child) &&
         dwarf_tag(&child) == DW_TAG_member &&
         (first = dwarf_diename(&child)) && strncmp(first, "__", 2) == 0;
}

static void add_member(struct building *b, Dwarf_Die *member,
                       const struct place *p) {
  Dwarf_Die type, bare, element;
  uint64_t at;
  uint32_t bit, bits;
  const char *name = dwarf_diename(member);
  if (!place_of(b, member, &at, &bit, &bits))
    return;
  if (!hp_die_type(member, &type) || !hp_die_peel(&type, &bare)) {
    b->layout->is_incomplete = true;
    return;
  }
  at += p->at;
  name = name ? name : "";
  const bool goes_on = p->depth < DEPTH_MAX && !bits && b->count < MEMBERS_MOST;
  if (hp_die_is_record(&bare) && is_buffer_of(&bare, &element))
    bare = element;
  if (goes_on && hp_die_is_record(&bare) && has_members(&bare) &&
      !is_used_whole(&bare)) {
    const struct place in = {*name ? joined(b, p->prefix, name, ".")
                                   : p->prefix,
                             *name ? NULL : p->base,
                             at,
                             p->count,
                             p->stride,
                             p->depth + 1,
                             true};
    add_record(b, &bare, &in);
    return;
  }
  uint64_t n = 0;
  if (goes_on && p->count == 1 && dwarf_tag(&bare) == DW_TAG_array_type &&
      hp_die_type(&bare, &element) && hp_die_peel(&element, &element) &&
      hp_die_is_record(&element) && has_members(&element) &&
      !is_used_whole(&element))
    n = hp_die_elements(&bare);
  if (n)
    add_array(b, &element, p, name, at, n);
  else
    add_leaf(b, &type, p, name, at, bit, bits);
}

/* A class of which this unit has no more than a declaration, as that of a class whose
   code is elsewhere: one member, up to the next. */
static void add_unknown_base(struct building *b, Dwarf_Die *class,
                             const struct place *p, uint64_t at) {
  const char *name = dwarf_diename(class);
  b->layout->is_incomplete = true;
  add(b, (struct hp_layout_member){
             .name = joined(b, p->prefix, name ? name : "base", ""),
             .type = hp_die_spelling(b->store, class),
             .offset = p->at + at,
             .count = p->count,
             .stride = p->stride});
}

static bool is_new_base(struct building *b, struct virtual_base base) {
  for (size_t i = 0; i < b->base_count; i++)
    if (b->bases[i].type == base.type && b->bases[i].at == base.at)
      return false;
  if (!hp_room_for_one((void **)&b->bases, b->base_count, &b->base_room,
                       sizeof *b->bases)) {
    b->failed = true;
    return false;
  }
  b->bases[b->base_count++] = base;
  return true;
}

/* Of the whole its own tables say where: other objects of the class may have it
   elsewhere. */
static void add_virtual_base(struct building *b, Dwarf_Die *inheritance,
                             const struct place *p) {
  Dwarf_Die type, bare;
  uint64_t at;
  b->layout->has_virtual_bases = true;
  if (!b->is_asked)
    b->failed |=
        !hp_vtables_find(&b->vtables, b->store, b->program, b->layout->type);
  b->is_asked = true;
  if (p->is_member || !hp_die_type(inheritance, &type) ||
      !hp_die_peel(&type, &bare) || dwarf_hasattr(&bare, DW_AT_declaration) ||
      !hp_virtual_base_at(&b->vtables, p->at, inheritance, &at)) {
    b->lacks_bases = true;
    return;
  }
  if (!is_new_base(b, (struct virtual_base){dwarf_dieoffset(&bare), at}))
    return;
  struct place in = *p;
  const char *name = dwarf_diename(&bare);
  in.base = name ? hp_store_text(b->store, name, strlen(name)) : NULL;
  in.at = at;
  in.depth++;
  add_record(b, &bare, &in);
}

static void add_base(struct building *b, Dwarf_Die *inheritance,
                     const struct place *p) {
  Dwarf_Die type, bare;
  uint64_t at = 0;
  if (dwarf_hasattr(inheritance, DW_AT_virtuality)) {
    add_virtual_base(b, inheritance, p);
    return;
  }
  if (!hp_die_type(inheritance, &type) || !hp_die_peel(&type, &bare) ||
      !hp_die_number(inheritance, DW_AT_data_member_location, &at)) {
    b->layout->is_incomplete = true;
    return;
  }
  if (hp_die_is_empty_library(&bare))
    return;
  if (dwarf_hasattr(&bare, DW_AT_declaration)) {
    add_unknown_base(b, &bare, p, at);
    return;
  }
  struct place in = *p;
  const char *name = dwarf_diename(&bare);
  if (!*p->prefix && name)
    in.base = hp_store_text(b->store, name, strlen(name));
  in.at += at;
  in.depth++;
  add_record(b, &bare, &in);
}

static void add_record(struct building *b, Dwarf_Die *record,
                       const struct place *p) {
  Dwarf_Die child;
  if (p->depth > DEPTH_MAX) {
    b->layout->is_incomplete = true;
    return;
  }
  bool any = hp_die_first_child(record, &child);
  for (bool more = any; more && !b->failed;
       more = hp_die_next_sibling(&child, &child)) {
    if (dwarf_tag(&child) == DW_TAG_inheritance)
      add_base(b, &child, p);
    else if (dwarf_tag(&child) == DW_TAG_member)
      add_member(b, &child, p);
  }
}

/* ---- the whole ----------------------------------------------------------- */

static int by_offset(const void *left, const void *right) {
  const struct hp_layout_member *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  if (a->is_flexible != b->is_flexible)
    return a->is_flexible ? 1 : -1;
  if (a->bit != b->bit)
    return a->bit < b->bit ? -1 : 1;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return strcmp(a->name, b->name);
}

/* A type without members has no array of them. */
static void sort(struct building *b) {
  if (b->count)
    qsort(b->members, b->count, sizeof *b->members, by_offset);
}

/* What is only declared here goes on to the next one; and no member beyond the end. */
static void bound(struct building *b) {
  const uint64_t size = b->layout->size;
  size_t kept = 0;
  sort(b);
  for (size_t i = 0; i < b->count; i++) {
    struct hp_layout_member m = b->members[i];
    if (m.size == 0 && !m.is_flexible)
      m.size = (i + 1 < b->count ? b->members[i + 1].offset : size) - m.offset;
    const uint64_t copies = m.count - 1;
    uint64_t last;
    if (m.offset > size || __builtin_mul_overflow(copies, m.stride, &last) ||
        last > size - m.offset || m.size > size - m.offset - last) {
      b->layout->is_incomplete = true;
      continue;
    }
    if (m.size || m.is_flexible)
      b->members[kept++] = m;
  }
  b->count = kept;
}

static void mark_overlaps(struct building *b) {
  uint64_t end = 0;
  size_t last = 0;
  for (size_t i = 0; i < b->count; i++) {
    struct hp_layout_member *m = &b->members[i];
    if (m->is_flexible)
      continue;
    if (m->offset < end)
      m->overlaps = b->members[last].overlaps = true;
    if (m->offset + m->size > end) {
      end = m->offset + m->size;
      last = i;
    }
  }
}

/* What has no members has no bytes of its own where others lie, as with
   [[no_unique_address]]: these are all that is there. */
static void drop_empty(struct building *b) {
  size_t kept = 0;
  for (size_t i = 0; i < b->count; i++)
    if (!b->members[i].is_empty || !b->members[i].overlaps)
      b->members[kept++] = b->members[i];
  if (kept == b->count)
    return;
  b->count = kept;
  for (size_t i = 0; i < kept; i++)
    b->members[i].overlaps = false;
  mark_overlaps(b);
}

/* Where their place is not known: behind all others. */
static void add_virtual_bases(struct building *b) {
  uint64_t end = 0;
  for (size_t i = 0; i < b->count; i++) {
    const struct hp_layout_member *m = &b->members[i];
    const uint64_t last = m->offset + (m->count - 1) * m->stride + m->size;
    end = last > end ? last : end;
  }
  if (end < b->layout->size)
    add(b, (struct hp_layout_member){.name = "virtual bases",
                                     .offset = end,
                                     .size = b->layout->size - end,
                                     .count = 1});
}

static void declare(struct building *b, Dwarf_Die *record) {
  const char *file = hp_die_file(record);
  int line = 0;
  b->layout->file = file ? hp_store_text(b->store, file, strlen(file)) : NULL;
  if (dwarf_decl_line(record, &line) == 0 && line > 0)
    b->layout->line = (uint32_t)line;
}

static bool keep(struct building *b) {
  struct hp_layout_member *members =
      hp_store_take(b->store, b->count + 1, sizeof *members);
  if (!members)
    return false;
  if (b->count)
    memcpy(members, b->members, b->count * sizeof *members);
  b->layout->members = members;
  b->layout->count = b->count;
  return true;
}

struct hp_layout *hp_layout_make(struct hp_store *store, Dwarf *program,
                                 Dwarf_Die *record, const char *type) {
  struct hp_layout *layout = hp_store_take(store, 1, sizeof *layout);
  struct building b = {.store = store, .program = program, .layout = layout};
  const struct place whole = {"", NULL, 0, 1, 0, 0, false};
  if (!layout)
    return NULL;
  layout->type = hp_store_text(store, type, strlen(type));
  layout->is_union = dwarf_tag(record) == DW_TAG_union_type;
  hp_die_size(record, &layout->size);
  layout->align = hp_die_align(record);
  declare(&b, record);
  add_record(&b, record, &whole);
  if (b.lacks_bases)
    add_virtual_bases(&b);
  bound(&b);
  mark_overlaps(&b);
  drop_empty(&b);
  add_holes(&b, 0, 0, layout->size, &whole);
  sort(&b);
  layout->reordered_size = layout->size;
  const bool is_kept = !b.failed && layout->type && keep(&b) &&
                       hp_member_order(store, record, layout);
  free(b.members);
  free(b.arrays);
  free(b.bases);
  return is_kept ? layout : NULL;
}

bool hp_layout_is_open_ended(const struct hp_layout *layout) {
  return layout->count && layout->members[layout->count - 1].is_flexible;
}

bool hp_layout_same(const struct hp_layout *a, const struct hp_layout *b) {
  if (a->size != b->size || a->count != b->count ||
      a->is_incomplete != b->is_incomplete)
    return false;
  for (size_t i = 0; i < a->count; i++) {
    const struct hp_layout_member *m = &a->members[i], *n = &b->members[i];
    if (m->offset != n->offset || m->size != n->size || m->kind != n->kind ||
        m->count != n->count || m->stride != n->stride || m->bit != n->bit ||
        m->bits != n->bits || !hp_is_same_text(m->name, n->name))
      return false;
  }
  return true;
}

uint64_t hp_layout_bytes_of(const struct hp_layout_member *m, uint64_t begin,
                            uint64_t end) {
  uint64_t bytes = 0;
  if (m->is_flexible)
    return end > m->offset ? end - (begin > m->offset ? begin : m->offset) : 0;
  uint64_t first = 0, last = m->count;
  if (m->stride && begin > m->offset)
    first = (begin - m->offset) / m->stride;
  for (uint64_t i = first; i < last; i++) {
    const uint64_t from = m->offset + i * m->stride, to = from + m->size;
    if (from >= end)
      break;
    if (to > begin)
      bytes += (to < end ? to : end) - (from > begin ? from : begin);
  }
  return bytes;
}
