/* set_names.c - see set_names.h: lines first, then each set when it is used.
   One that is open while it is used would be part of itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "query/set_term.h"

#define HP_SETS_MAX 4096u
#define HP_SET_LINE_MAX 65536u

static hp_status fail_line(const char *path, size_t line,
                           struct hp_error *error, const char *what,
                           const char *name, size_t length) {
  return hp_fail(error, HP_E_ARGUMENT, "%.80s:%zu: %s \"%.*s\"", path, line,
                 what, (int)(length < 60 ? length : 60), name);
}

static hp_status open_set(struct hp_set_names *names, struct hp_named_set *set,
                          struct hp_error *error) {
  const struct hp_set_place place = {set->file, set->line, set->column};
  struct hp_set_node *root;
  if (set->root)
    return HP_OK;
  if (set->is_open)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%.80s:%zu: the set %.60s is part of itself", set->file,
                   set->line, set->name);
  set->is_open = true;
  HP_TRY(hp_set_parse(&root, set->text, &place, names, names->store, error));
  set->is_open = false;
  set->root = root;
  return HP_OK;
}

void hp_set_names_begin(struct hp_set_names *names, struct hp_store *store) {
  *names = (struct hp_set_names){.open = open_set, .store = store};
}

/* ---- lines --------------------------------------------------------------- */

static size_t blanks(const char *at) { return strspn(at, " \t\r\n"); }

static struct hp_named_set *known(const struct hp_set_names *names,
                                  const char *name, size_t length) {
  struct hp_named_set *set = names->first;
  while (set &&
         (strlen(set->name) != length || memcmp(set->name, name, length) != 0))
    set = set->next;
  return set;
}

static hp_status add(struct hp_set_names *names, const char *path, size_t line,
                     const char *text, const char *name, size_t length,
                     const char *body, struct hp_error *error) {
  struct hp_named_set *set = hp_store_take(names->store, 1, sizeof *set);
  size_t end = strlen(body);
  while (end && strchr(" \t\r\n", body[end - 1]))
    end--;
  if (!set)
    return hp_fail_memory(error);
  *set =
      (struct hp_named_set){.name = hp_store_text(names->store, name, length),
                            .text = hp_store_text(names->store, body, end),
                            .file = path,
                            .line = line,
                            .column = (size_t)(body - text) + 1,
                            .next = names->first};
  if (!set->name || !set->text)
    return hp_fail_memory(error);
  names->first = set;
  return end ? HP_OK
             : fail_line(path, line, error, "nothing is behind the = of", name,
                         length);
}

/* "NAME = SET", nothing, or "# remark". */
static hp_status take_line(struct hp_set_names *names, const char *path,
                           size_t line, const char *text,
                           struct hp_error *error) {
  const char *name = text + blanks(text);
  const size_t length = hp_set_word_length(name);
  const char *behind = name + length + blanks(name + length);
  if (!*name || *name == '#')
    return HP_OK;
  if (!length || *behind != '=')
    return fail_line(path, line, error,
                     "a line is NAME = SET, with a name of letters, digits and "
                     "_, not",
                     name, strcspn(name, "\r\n"));
  if (hp_set_is_key(name, length))
    return fail_line(path, line, error, "a set cannot have the name of a key,",
                     name, length);
  const struct hp_named_set *old = known(names, name, length);
  if (old && strcmp(old->file, path) != 0)
    return HP_OK;
  if (old)
    return hp_fail(error, HP_E_ARGUMENT,
                   "%.80s:%zu: the set %.60s is there already, in line %zu",
                   path, line, old->name, old->line);
  return add(names, path, line, text, name, length,
             behind + 1 + blanks(behind + 1), error);
}

static hp_status read_lines(struct hp_set_names *names, const char *path,
                            FILE *in, struct hp_error *error) {
  char *text = NULL;
  size_t room = 0, line = 0;
  ssize_t length;
  hp_status status = HP_OK;
  while (status == HP_OK && (length = getline(&text, &room, in)) >= 0) {
    if (++line > HP_SETS_MAX || (size_t)length > HP_SET_LINE_MAX)
      status = hp_fail(error, HP_E_ARGUMENT,
                       "%.80s:%zu: no file of sets; those have at most %u "
                       "lines of %u bytes",
                       path, line, HP_SETS_MAX, HP_SET_LINE_MAX);
    else if (strlen(text) != (size_t)length)
      status = fail_line(path, line, error, "a byte that is no text behind",
                         text, strlen(text));
    else
      status = take_line(names, path, line, text, error);
  }
  if (status == HP_OK && ferror(in))
    status = hp_fail(error, HP_E_OPEN, "%s: %s", path, strerror(errno));
  free(text);
  return status;
}

hp_status hp_set_names_take(struct hp_set_names *names, const char *path,
                            FILE *in, struct hp_error *error) {
  const char *kept = hp_store_text(names->store, path, strlen(path));
  return kept ? read_lines(names, kept, in, error) : hp_fail_memory(error);
}

hp_status hp_set_names_read(struct hp_set_names *names, const char *path,
                            struct hp_error *error) {
  FILE *in = fopen(path, "re");
  if (!in)
    return hp_fail(error, HP_E_OPEN, "%s: %s", path, strerror(errno));
  const hp_status status = hp_set_names_take(names, path, in, error);
  fclose(in);
  return status;
}

hp_status hp_set_names_check(struct hp_set_names *names,
                             struct hp_error *error) {
  for (struct hp_named_set *set = names->first; set; set = set->next) {
    names->depth = 0;
    HP_TRY(open_set(names, set, error));
  }
  return HP_OK;
}
