/* numbered_text.c - a hash table of texts, in the order of their numbers.
   Each is freed with the table.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define HASH_NONFATAL_OOM 1
#include "base/numbered_text.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

struct hp_numbered_text {
  UT_hash_handle hh;
  size_t number;
  char text[];
};

static struct hp_numbered_text *find(struct hp_numbered *n, const char *text) {
  struct hp_numbered_text *found;
  size_t length = strlen(text);
  HASH_FIND(hh, n->texts, text, length, found);
  if (found)
    return found;
  found = calloc(1, sizeof *found + length + 1);
  if (!found)
    return NULL;
  memcpy(found->text, text, length);
  found->number = n->count;
  HASH_ADD(hh, n->texts, text, length, found);
  if (!found->hh.tbl) {
    free(found);
    return NULL;
  }
  n->count++;
  return found;
}

size_t hp_number_of(struct hp_numbered *n, const char *text) {
  const struct hp_numbered_text *found = find(n, text);
  return found ? found->number : HP_NO_NUMBER;
}

const char *hp_numbered_copy(struct hp_numbered *n, const char *text) {
  const struct hp_numbered_text *found = find(n, text);
  return found ? found->text : NULL;
}

void hp_numbered_each(const struct hp_numbered *n,
                      void (*each)(void *context, const char *text),
                      void *context) {
  const struct hp_numbered_text *t;
  for (t = n->texts; t; t = t->hh.next)
    each(context, t->text);
}

void hp_numbered_free(struct hp_numbered *n) {
  struct hp_numbered_text *t = n->texts, *next;
  HASH_CLEAR(hh, n->texts);
  for (; t; t = next) {
    next = t->hh.next;
    free(t);
  }
  n->count = 0;
}
