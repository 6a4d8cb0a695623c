/* names.c - see names.h; a profile has one pointer for one function's name.
   So texts are compared only where pointers differ.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "path_text.h"

/* The end of what two builds have in common of a name: "[clone .part.0]" tells
   what the compiler made of the function. */
static const char *name_end(const char *name) {
  const char *clone = strstr(name, " [clone ");
  return clone ? clone : name + strlen(name);
}

/* Behind the number in "{lambda(int)#2}", which changes where another lambda
   comes ahead. */
static const char *behind_number(const char *at) {
  const char *end = at;
  while (isdigit((unsigned char)*end))
    end++;
  return *end == '}' ? end : at;
}

int hp_compare_names(const char *a, const char *b) {
  if (a == b || !a || !b)
    return (a != NULL) - (b != NULL);
  const char *a_end = name_end(a), *b_end = name_end(b);
  while (a < a_end && b < b_end && *a == *b) {
    const bool has_number = *a++ == '#';
    b++;
    if (has_number) {
      a = behind_number(a);
      b = behind_number(b);
    }
  }
  return (a < a_end ? (unsigned char)*a : 0) -
         (b < b_end ? (unsigned char)*b : 0);
}

const char *hp_file_name(const char *path) {
  return path ? hp_base_name(path) : NULL;
}

const char *hp_module_name(const struct hp_frame *frame) {
  return hp_file_name(frame->module);
}

static int by_pointer(const void *a, const void *b) {
  const uintptr_t x = (uintptr_t)*(const char *const *)a;
  const uintptr_t y = (uintptr_t)*(const char *const *)b;
  return (x > y) - (x < y);
}

static int by_name(const void *a, const void *b) {
  return hp_compare_names(*(const char *const *)a, *(const char *const *)b);
}

static void sort_once(struct hp_names *names,
                      int (*compare)(const void *, const void *)) {
  size_t kept = 0;
  qsort((void *)names->items, names->count, sizeof *names->items, compare);
  for (size_t i = 0; i < names->count; i++)
    if (!kept || compare(&names->items[kept - 1], &names->items[i]) != 0)
      names->items[kept++] = names->items[i];
  names->count = kept;
}

bool hp_names_of(struct hp_names *names, struct hp_points points) {
  size_t room = 1;
  for (size_t i = 0; i < points.count; i++)
    room += 1 + points.points[i]->stack_count;
  *names = (struct hp_names){calloc(room, sizeof *names->items), 0};
  if (!names->items)
    return false;
  for (size_t i = 0; i < points.count; i++) {
    const struct hp_point *p = points.points[i];
    if (p->type)
      names->items[names->count++] = p->type;
    for (size_t k = 0; k < p->stack_count; k++)
      if (p->stack[k]->function)
        names->items[names->count++] = p->stack[k]->function;
  }
  sort_once(names, by_pointer);
  sort_once(names, by_name);
  return true;
}

bool hp_names_of_modules(struct hp_names *names, struct hp_points points) {
  size_t room = 1;
  for (size_t i = 0; i < points.count; i++)
    room += points.points[i]->stack_count;
  *names = (struct hp_names){calloc(room, sizeof *names->items), 0};
  if (!names->items)
    return false;
  for (size_t i = 0; i < points.count; i++)
    for (size_t k = 0; k < points.points[i]->stack_count; k++) {
      const struct hp_frame *frame = points.points[i]->stack[k];
      if (frame->function && frame->module && !hp_frame_library(frame))
        names->items[names->count++] = hp_module_name(frame);
    }
  sort_once(names, by_pointer);
  sort_once(names, by_name);
  return true;
}

void hp_names_differ(struct hp_names *a, struct hp_names *b) {
  size_t i = 0, k = 0, a_kept = 0, b_kept = 0;
  while (i < a->count || k < b->count) {
    const int order = i == a->count   ? 1
                      : k == b->count ? -1
                                      : by_name(&a->items[i], &b->items[k]);
    if (order < 0)
      a->items[a_kept++] = a->items[i];
    if (order > 0)
      b->items[b_kept++] = b->items[k];
    i += order <= 0;
    k += order >= 0;
  }
  a->count = a_kept;
  b->count = b_kept;
}

bool hp_names_have(const struct hp_names *names, const char *name) {
  return name && names->count &&
         bsearch(&name, (const void *)names->items, names->count, sizeof name,
                 by_name);
}

void hp_names_free(struct hp_names *names) { free((void *)names->items); }
