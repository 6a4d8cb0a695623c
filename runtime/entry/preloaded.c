/* preloaded.c - see preloaded.h: who else is there, and who comes after.
   Both are known by names: of a symbol, and of the library's file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entry/preloaded.h"

/* Through registers, since a compiler may say of two names that they are
   different. */
bool hp_runtime_is_second(uintptr_t found, uintptr_t own) {
  __asm__("" : "+r"(found), "+r"(own));
  return found != own;
}

static const char variable[] = "LD_PRELOAD=";
static const char library[] = "libheapprof_preload.so";

static bool is_separator(char c) { return c == ':' || c == ' '; }

static const char *end_of(const char *path) {
  while (*path && !is_separator(*path))
    path++;
  return path;
}

/* The path PATH..END ends by the name of our library. */
static bool is_ours(const char *path, const char *end) {
  size_t size = sizeof library - 1;
  if ((size_t)(end - path) < size)
    return false;
  for (size_t i = 0; i < size; i++)
    if (end[(ptrdiff_t)i - (ptrdiff_t)size] != library[i])
      return false;
  return (size_t)(end - path) == size || end[-(ptrdiff_t)size - 1] == '/';
}

/* Copies down over our paths and one separator of each. */
static void leave_out(char *list) {
  char *to = list;
  for (const char *from = list; *from;) {
    const char *end = end_of(from);
    bool left_out = is_ours(from, end);
    const char *next = *end ? end + 1 : end;
    for (; from < next; from++)
      if (!left_out)
        *to++ = *from;
  }
  if (to > list && is_separator(to[-1]))
    to--;
  *to = '\0';
}

/* What is behind NAME=; NULL if TEXT is another one. */
static char *value_of(char *text, const char *name) {
  size_t i = 0;
  while (name[i] && text[i] == name[i])
    i++;
  return name[i] ? NULL : text + i;
}

static char *list_of(char *text) { return value_of(text, variable); }

bool hp_preloaded_is_listed(char *const *environment) {
  for (; *environment; environment++)
    if (value_of(*environment, "LD_TRACE_LOADED_OBJECTS="))
      return true;
  return false;
}

/* Where our path begins in LIST; NULL: it has none. */
static const char *find_ours(const char *list) {
  while (list && *list) {
    const char *end = end_of(list);
    if (is_ours(list, end))
      return list;
    list = *end ? end + 1 : end;
  }
  return NULL;
}

char *const *hp_preloaded_find(char *const *environment) {
  for (; environment && *environment; environment++)
    if (find_ours(list_of(*environment)))
      return environment;
  return NULL;
}

void hp_preloaded_path(const char *entry, char *path, size_t size) {
  const char *ours = find_ours(entry + sizeof variable - 1);
  const size_t length = ours ? (size_t)(end_of(ours) - ours) : size;
  size_t i = 0;
  for (; length < size && i < length; i++)
    path[i] = ours[i];
  path[i] = '\0';
}

void hp_preloaded_leave(char **environment) {
  char **to = environment;
  if (!environment)
    return;
  for (char **from = environment; *from; from++) {
    char *value = list_of(*from);
    bool is_list = value != NULL;
    bool was_set = is_list && *value;
    if (is_list)
      leave_out(value);
    if (!was_set || *value)
      *to++ = *from;
  }
  *to = NULL;
}
