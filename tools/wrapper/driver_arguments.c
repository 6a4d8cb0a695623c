/* driver_arguments.c - expands response files and CCC_OVERRIDE_OPTIONS, and
   writes back whatever of them is not ours.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_arguments.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *checked(void *memory) {
  if (memory == NULL) {
    fputs("heapprof-clang: error: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

void *hp_grown(void *array, size_t *capacity, size_t size) {
  *capacity = *capacity == 0 ? 64 : *capacity * 2;
  return checked(realloc(array, *capacity * size));
}

void hp_strings_insert(struct hp_strings *list, size_t at, const char *text) {
  if (list->count + 1 >= list->capacity)
    list->item = hp_grown(list->item, &list->capacity, sizeof(*list->item));
  memmove(list->item + at + 1, list->item + at,
          (list->count - at) * sizeof(*list->item));
  list->item[at] = text;
  list->item[++list->count] = NULL;
}

void hp_strings_push(struct hp_strings *list, const char *text) {
  hp_strings_insert(list, list->count, text);
}

const char *hp_format(const char *pattern, ...) {
  va_list values;
  char *text = NULL;
  va_start(values, pattern);
  if (vasprintf(&text, pattern, values) < 0)
    text = NULL;
  va_end(values);
  return checked(text);
}

void hp_argument_change(struct hp_argument *argument, const char *text) {
  argument->text = text;
  argument->changed = true;
}

static void insert(struct hp_arguments *list, size_t at, const char *text,
                   int from, int edit) {
  if (list->count == list->capacity)
    list->item = hp_grown(list->item, &list->capacity, sizeof(*list->item));
  memmove(list->item + at + 1, list->item + at,
          (list->count - at) * sizeof(*list->item));
  list->item[at] = (struct hp_argument){text, from, edit, false};
  list->count++;
}

char *hp_file_text(const char *path) {
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return NULL;
  char *text = NULL;
  size_t length = 0, capacity = 0;
  do {
    if (length + 1 >= capacity)
      text = hp_grown(text, &capacity, 1);
    length += fread(text + length, 1, capacity - length - 1, file);
  } while (!feof(file) && !ferror(file));
  bool failed = ferror(file) != 0;
  fclose(file);
  text[length] = '\0';
  /* A zero byte means UTF-16, which only the driver can read. */
  if (failed || strlen(text) != length) {
    free(text);
    return NULL;
  }
  return text;
}

/* Cuts the next word off *CURSOR by the driver's rules for response files: a
   backslash escapes the next character everywhere, both quotes group. */
static char *next_word(const char **cursor) {
  const char *in = *cursor;
  while (isspace((unsigned char)*in))
    in++;
  if (*in == '\0')
    return NULL;
  char *word = checked(malloc(strlen(in) + 1)), *out = word, quote = 0;
  for (; *in != '\0' && (quote != 0 || !isspace((unsigned char)*in)); in++) {
    if (*in == '\\' && in[1] != '\0')
      *out++ = *++in;
    else if (quote != 0 && *in == quote)
      quote = 0;
    else if (quote == 0 && (*in == '"' || *in == '\''))
      quote = *in;
    else
      *out++ = *in;
  }
  *out = '\0';
  *cursor = in;
  return word;
}

/* The response files that are being read, innermost first. */
struct nesting {
  const char *name;
  const struct nesting *outer;
};

static bool is_open(const char *name, const struct nesting *inside) {
  for (; inside != NULL; inside = inside->outer)
    if (strcmp(inside->name, name) == 0)
      return true;
  return false;
}

static void append(struct hp_arguments *list, const char *text, int from,
                   const struct nesting *inside) {
  char *content = NULL;
  /* A file that contains itself stays a word; the driver reports it. */
  if (text[0] == '@' && !is_open(text, inside))
    content = hp_file_text(text + 1);
  if (content == NULL) {
    insert(list, list->count, text, from, 0);
    return;
  }
  const struct nesting here = {text, inside};
  const char *cursor = content;
  if (strncmp(cursor, "\xef\xbb\xbf", 3) == 0)
    cursor += 3;
  for (char *word; (word = next_word(&cursor)) != NULL;)
    append(list, word, from, &here);
  free(content);
}

static void remove_equal(struct hp_arguments *list, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->item[i].text, text) != 0)
      list->item[kept++] = list->item[i];
    else if (list->item[i].from != HP_FROM_ENVIRONMENT) {
      /* Seen by nobody, but the driver must not see it either. */
      list->item[kept] = list->item[i];
      hp_argument_change(&list->item[kept++], NULL);
    }
  list->count = kept;
}

/* The edits that add or remove whole arguments: +ARG, ^ARG, xARG.  The others
   (s/a/b/, XARG, O) can neither name nor hide our option by themselves. */
static void apply_override(struct hp_arguments *list) {
  const char *cursor = list->override;
  if (cursor == NULL)
    return;
  if (*cursor == '#')
    cursor++;
  int edit = 0;
  for (char *word; (word = next_word(&cursor)) != NULL; edit++)
    if (word[0] == '+')
      insert(list, list->count, word + 1, HP_FROM_ENVIRONMENT, edit);
    else if (word[0] == '^')
      insert(list, 0, word + 1, HP_FROM_ENVIRONMENT, edit);
    else if (word[0] == 'x' && strstr(word, "heapprof") != NULL)
      remove_equal(list, word + 1);
}

void hp_arguments_read(struct hp_arguments *list, char **argv,
                       const char *override) {
  memset(list, 0, sizeof(*list));
  list->argv = argv;
  list->override = override;
  for (int i = 1; argv[0] != NULL && argv[i] != NULL; i++)
    append(list, argv[i], i, NULL);
  apply_override(list);
}

FILE *hp_memory_file(int *number) {
  *number = memfd_create("heapprof-file", 0);
  int copy = *number < 0 ? -1 : dup(*number);
  return copy < 0 ? NULL : fdopen(copy, "w");
}

static const char *response_file(const struct hp_arguments *list, size_t first,
                                 size_t end) {
  int descriptor;
  FILE *file = hp_memory_file(&descriptor);
  if (file == NULL)
    return NULL;
  for (size_t i = first; i < end; i++) {
    if (list->item[i].text == NULL)
      continue;
    fputc('"', file);
    for (const char *c = list->item[i].text; *c != '\0'; c++) {
      if (*c == '"' || *c == '\\')
        fputc('\\', file);
      fputc(*c, file);
    }
    fputs("\"\n", file);
  }
  if (fclose(file) != 0)
    return NULL;
  return hp_format("@/proc/self/fd/%d", descriptor);
}

bool hp_arguments_write(const struct hp_arguments *list,
                        struct hp_strings *out) {
  size_t next = 0; /* arguments stand in the order of argv */
  while (next < list->count && list->item[next].from == HP_FROM_ENVIRONMENT)
    next++;
  for (int from = 1; list->argv[from] != NULL; from++) {
    size_t first = next;
    bool changed = false;
    for (; next < list->count && list->item[next].from == from; next++)
      changed |= list->item[next].changed;
    const char *text = list->argv[from];
    if (changed && next - first == 1)
      text = list->item[first].text;
    else if (changed && (text = response_file(list, first, next)) == NULL)
      return false;
    if (text != NULL)
      hp_strings_push(out, text);
  }
  return true;
}

const char *hp_arguments_override(const struct hp_arguments *list) {
  bool changed = false;
  for (size_t i = 0; i < list->count; i++)
    changed |=
        list->item[i].from == HP_FROM_ENVIRONMENT && list->item[i].changed;
  if (!changed)
    return list->override;

  const char *cursor = list->override, *text = "";
  if (*cursor == '#') {
    text = "#";
    cursor++;
  }
  int edit = 0;
  for (char *word; (word = next_word(&cursor)) != NULL; edit++) {
    const char *replaced = word;
    for (size_t i = 0; i < list->count; i++) {
      const struct hp_argument *argument = &list->item[i];
      if (argument->from == HP_FROM_ENVIRONMENT && argument->edit == edit &&
          argument->changed)
        replaced = argument->text == NULL
                       ? NULL
                       : hp_format("%c%s", word[0], argument->text);
    }
    if (replaced != NULL)
      text = hp_format("%s%s ", text, replaced);
  }
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the process is replaced soon by what it runs */
  return text;
}
