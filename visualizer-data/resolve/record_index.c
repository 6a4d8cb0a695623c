/* record_index.c - see record_index.h: one walk through all units, by the last part of
   names first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "resolve/record_index.h"

#include "resolve/die_type.h"
#include "resolve/die_walk.h"
#include "resolve/type_match.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define DEPTH_MAX 128u /* scopes in scopes */
#define LOOKS_MOST 16u /* at the same type in many units */
#define TEXT_MOST 65536u

/* Requests whose name ends with KEY. */
struct wanted {
  UT_hash_handle hh;
  size_t first;
  char key[];
};

struct scope {
  const char *name; /* NULL: a function, whose own scopes do not count */
  bool is_optional;
};

struct search {
  Dwarf *program, *split; /* split: the file that was walked last */
  struct hp_store *store;
  struct hp_layout_request *requests;
  size_t *next;    /* of the same key; SIZE_MAX: none */
  unsigned *looks; /* at layouts, of each request */
  struct wanted *wanted;
  struct scope scopes[DEPTH_MAX];
  char *text;
  bool failed;
};

static bool want(struct search *s, size_t number) {
  unsigned length;
  const char *key = hp_type_last_part(s->requests[number].type, &length);
  struct wanted *w;
  s->next[number] = SIZE_MAX;
  if (length == 0)
    return true;
  HASH_FIND(hh, s->wanted, key, length, w);
  if (w) {
    s->next[number] = w->first;
    w->first = number;
    return true;
  }
  w = calloc(1, sizeof *w + length + 1);
  if (!w)
    return false;
  memcpy(w->key, key, length);
  w->first = number;
  HASH_ADD(hh, s->wanted, key, length, w);
  if (w->hh.tbl)
    return true;
  free(w);
  return false;
}

/* "app::Box<Q>", and which parts of it a dump may lack; false: too long. */
static bool spell(struct search *s, size_t depth, const char *name,
                  uint64_t *optional) {
  size_t first = depth, length = 0, parts = 0;
  while (first > 0 && s->scopes[first - 1].name)
    first--;
  *optional = 0;
  for (size_t i = first; i <= depth; i++) {
    const char *part = i < depth ? s->scopes[i].name : name;
    const size_t n = strlen(part);
    if (length + n + 3 > TEXT_MOST || parts >= 60)
      return false;
    if (i < depth && s->scopes[i].is_optional)
      *optional |= UINT64_C(1) << parts;
    memcpy(s->text + length, part, n);
    length += n;
    if (i < depth) {
      memcpy(s->text + length, "::", 2);
      length += 2;
    }
    parts++;
  }
  s->text[length] = 0;
  return true;
}

static void take(struct search *s, size_t number, Dwarf_Die *record) {
  struct hp_layout_request *r = &s->requests[number];
  if (r->is_ambiguous || s->looks[number]++ >= LOOKS_MOST)
    return;
  struct hp_layout *layout =
      hp_layout_make(s->store, s->program, record, r->type);
  if (!layout) {
    s->failed = true;
    return;
  }
  /* Where a member's type is only declared, another unit may know more. */
  if (!r->layout || (r->layout->is_incomplete && !layout->is_incomplete))
    r->layout = layout;
  else if (layout->is_incomplete == r->layout->is_incomplete &&
           !hp_layout_same(r->layout, layout))
    r->is_ambiguous = true;
}

/* RECORD is a definition, of this NAME. */
static void consider(struct search *s, size_t depth, Dwarf_Die *record,
                     const char *name) {
  struct wanted *w;
  size_t length = 0;
  uint64_t size, optional;
  while (name[length] && name[length] != '<')
    length++;
  HASH_FIND(hh, s->wanted, name, length, w);
  if (!w || !hp_die_size(record, &size) || !spell(s, depth, name, &optional))
    return;
  for (size_t i = w->first; i != SIZE_MAX; i = s->next[i]) {
    const struct hp_layout_request *r = &s->requests[i];
    if ((r->size == 0 || r->size == size) &&
        hp_type_matches(r->type, s->text, optional))
      take(s, i, record);
  }
}

/* C's "typedef struct {...} name" names the record, too. */
static void visit(struct search *s, size_t depth, Dwarf_Die *die) {
  const char *name = dwarf_diename(die);
  Dwarf_Die to;
  if (!name)
    return;
  if (hp_die_is_record(die)) {
    if (!dwarf_hasattr(die, DW_AT_declaration))
      consider(s, depth, die, name);
  } else if (dwarf_tag(die) == DW_TAG_typedef && hp_die_type(die, &to) &&
             hp_die_is_record(&to) && !dwarf_diename(&to) &&
             !dwarf_hasattr(&to, DW_AT_declaration)) {
    consider(s, depth, &to, name);
  }
}

/* Whether types may be declared in DIE; *SCOPE is what it is to them. */
static bool is_scope(Dwarf_Die *die, struct scope *scope) {
  Dwarf_Die whole;
  *scope = (struct scope){.name = dwarf_diename(die)};
  switch (dwarf_tag(die)) {
  case DW_TAG_namespace:
    scope->is_optional = dwarf_hasattr(die, DW_AT_export_symbols);
    scope->name = scope->name ? scope->name : "(anonymous namespace)";
    return true;
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_union_type:
    if (!scope->name && hp_die_peel(die, &whole)) /* in its type unit */
      scope->name = dwarf_diename(&whole);
    scope->is_optional = !scope->name;
    scope->name = scope->name ? scope->name : "(anonymous)";
    return true;
  case DW_TAG_subprogram:
  case DW_TAG_lexical_block:
    scope->name = NULL;
    return true;
  default:
    return false;
  }
}

static void walk_unit(struct search *s, Dwarf_Die *unit) {
  Dwarf_Die *path = malloc(DEPTH_MAX * sizeof *path);
  size_t depth = 0;
  if (path && hp_die_first_child(unit, &path[0]))
    depth = 1;
  while (depth > 0 && !s->failed) {
    Dwarf_Die *die = &path[depth - 1];
    visit(s, depth - 1, die);
    if (depth < DEPTH_MAX && is_scope(die, &s->scopes[depth - 1]) &&
        hp_die_first_child(die, &path[depth])) {
      depth++;
      continue;
    }
    while (depth > 0 &&
           !hp_die_next_sibling(&path[depth - 1], &path[depth - 1]))
      depth--;
  }
  s->failed = s->failed || !path;
  free(path);
}

/* Of SPLIT, a file of its own: types that have units there, each file's once. */
static void walk_split_types(struct search *s, Dwarf *split) {
  Dwarf_CU *cu = NULL;
  Dwarf_Die unit;
  uint8_t type;
  if (split == s->split)
    return;
  s->split = split;
  while (!s->failed &&
         dwarf_get_units(split, cu, &cu, NULL, &type, &unit, NULL) == 0)
    if (type == DW_UT_split_type || type == DW_UT_type)
      walk_unit(s, &unit);
}

static void walk(struct search *s, Dwarf *dwarf) {
  Dwarf_CU *cu = NULL;
  Dwarf_Die unit,
      inner; /* of a type unit the type, which has scopes around it */
  uint8_t type;
  while (!s->failed &&
         dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, &inner) == 0) {
    const bool is_split = type == DW_UT_skeleton && inner.addr;
    walk_unit(s, is_split ? &inner : &unit);
    if (is_split)
      walk_split_types(s, dwarf_cu_getdwarf(inner.cu));
  }
}

bool hp_records_find(Dwarf *dwarf, struct hp_store *store,
                     struct hp_layout_request *requests, size_t count) {
  struct search s = {.store = store, .requests = requests};
  struct wanted *w, *next;
  s.next = calloc(count + 1, sizeof *s.next);
  s.looks = calloc(count + 1, sizeof *s.looks);
  s.text = malloc(TEXT_MOST);
  s.failed = !s.next || !s.looks || !s.text;
  for (size_t i = 0; i < count && !s.failed; i++)
    if (!requests[i].layout && !requests[i].is_ambiguous)
      s.failed = !want(&s, i);
  if (!s.failed && s.wanted) {
    s.program = dwarf;
    walk(&s, dwarf);
    if (dwarf_getalt(dwarf)) /* what dwz took out of several files */
      walk(&s, dwarf_getalt(dwarf));
  }
  for (size_t i = 0; i < count; i++)
    if (requests[i].is_ambiguous)
      requests[i].layout = NULL;
  HASH_ITER(hh, s.wanted, w, next) {
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the list of a table loses what it frees */
    HASH_DEL(s.wanted, w);
    free(w);
  }
  free(s.next);
  free(s.looks);
  free(s.text);
  return !s.failed;
}
