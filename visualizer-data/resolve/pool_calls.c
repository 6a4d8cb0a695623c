/* pool_calls.c - see pool_calls.h: the pass leaves a text for each item in each object
   file, a letter and the item; runtime/hook_abi.h has the letters.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/pool_calls.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/object_file.h"

#define SECTION ".heapprof_pools"
#define STATES "0pst" /* the more was found, the later */
#define TOLD 3
#define ITEMS_MOST 10u /* in the line */

static const char *const reasons[] = {
    "no call by that name", "it returns no pointer",
    "it has no argument that is a size: =48 may stand for it"};

/* Texts that each end with 0. */
struct texts {
  const char *at, *end;
};

/* The next one, of at least a letter that is known and another character; NULL: there is
   none. */
static const char *next(struct texts *t) {
  while (t->at < t->end) {
    const char *text = t->at;
    const char *end = memchr(text, 0, (size_t)(t->end - text));
    if (!end)
      return NULL;
    t->at = end + 1;
    if (*text && text[1] && strchr(STATES, *text))
      return text;
  }
  return NULL;
}

static int state_of(const char *text) {
  return (int)(strchr(STATES, *text) - STATES);
}

/* Whether TEXT says most of its item, and does so first. */
static bool is_best(struct texts all, const char *text) {
  const char *other;
  while ((other = next(&all)) != NULL)
    if (other != text && strcmp(other + 1, text + 1) == 0 &&
        (state_of(other) > state_of(text) ||
         (state_of(other) == state_of(text) && other < text)))
      return false;
  return true;
}

static bool find(Elf *code, struct texts *texts) {
  Elf_Scn *section = NULL;
  GElf_Shdr header;
  const char *name;
  while ((section = hp_object_section(code, section, &header, &name)) != NULL) {
    if (strcmp(name, SECTION) != 0 || header.sh_type == SHT_NOBITS)
      continue;
    const Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !data->d_buf)
      return false;
    *texts =
        (struct texts){data->d_buf, (const char *)data->d_buf + data->d_size};
    return true;
  }
  return false;
}

char *hp_pool_calls_missing(Elf *code, const char *path) {
  struct texts all, rest;
  char *line = NULL;
  size_t size = 0, items = 0;
  const char *text;
  if (!code || !find(code, &all))
    return NULL;
  FILE *out = open_memstream(&line, &size);
  if (!out)
    return NULL;
  fprintf(out, "%s: of -heapprof-pools nothing was found by", path);
  for (rest = all; (text = next(&rest)) != NULL;) {
    if (state_of(text) == TOLD || !is_best(all, text))
      continue;
    if (items++ < ITEMS_MOST)
      fprintf(out, "%s '%s' (%s)", items > 1 ? "," : "", text + 1,
              reasons[state_of(text)]);
  }
  if (items > ITEMS_MOST)
    fprintf(out, " and %zu more", items - ITEMS_MOST);
  fputs("; calls through pointers and of virtual functions are not seen", out);
  if (fclose(out) == 0 && items)
    return line;
  free(line);
  return NULL;
}
