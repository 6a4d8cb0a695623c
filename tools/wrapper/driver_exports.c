/* driver_exports.c - see driver_exports.h: rewrites what the linker reads, and
   leaves what the user wants hidden so.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_exports.h"

#include <ctype.h>
#include <string.h>

/* What the driver names by itself, and the part of libc.so that is none. */
static const char drivers_archives[] =
    "libgcc.a:libgcc_eh.a:libc_nonshared.a:libstdc++.a:libsupc++.a:libc++.a:"
    "libc++abi.a:libunwind.a";

static bool ends(const char *text, const char *with) {
  const size_t length = strlen(text), tail = strlen(with);
  return length >= tail && strcmp(text + length - tail, with) == 0;
}

/* NAMES and the archive that the word TEXT may stand for, if any. */
static const char *with_archive(const char *names, const char *text) {
  const char *slash = strrchr(text, '/');
  if (strchr(text, ',') != NULL)
    return names;
  if (strncmp(text, "-l:", 3) == 0)
    return hp_format("%s:%s", names, text + 3);
  if (strncmp(text, "-l", 2) == 0 && text[2] != '\0')
    return hp_format("%s:lib%s.a", names, text + 2);
  if (text[0] != '-' && ends(text, ".a"))
    return hp_format("%s:%s", names, slash == NULL ? text : slash + 1);
  return names;
}

static const char *archives(const struct hp_linker *linker,
                            const struct hp_arguments *arguments) {
  const char *names = drivers_archives;
  for (size_t i = 0; i < arguments->count; i++) {
    const char *text = arguments->item[i].text;
    if (text == NULL)
      continue;
    if (i > 0 && arguments->item[i - 1].text != NULL &&
        strcmp(arguments->item[i - 1].text, "-l") == 0)
      text = hp_format("-l%s", text);
    names = with_archive(names, text);
  }
  for (size_t i = 0; i < linker->count; i++)
    names = with_archive(names, linker->item[i].text);
  return names;
}

static void name_archives(struct hp_linker *linker,
                          struct hp_arguments *arguments) {
  const char *value;
  for (size_t at = 0;;) {
    struct hp_linker_word *word =
        hp_linker_value(linker, &at, "exclude-libs", &value);
    if (word == NULL)
      return;
    if (strcmp(value, "ALL") != 0)
      continue;
    word->text = hp_format("%.*s%s", (int)(value - word->text), word->text,
                           archives(linker, arguments));
    hp_linker_rewrite(linker, word, arguments);
  }
}

/* Behind white space and comments. */
static const char *next_token(const char *text) {
  for (;;) {
    while (isspace((unsigned char)*text))
      text++;
    const char *end = NULL;
    if (text[0] == '#' || strncmp(text, "//", 2) == 0)
      end = strchr(text, '\n');
    else if (strncmp(text, "/*", 2) == 0)
      end = strstr(text, "*/");
    if (end == NULL)
      return text;
    text = end + (*end == '*' ? 2 : 1);
  }
}

/* Of a symbol, or of a pattern. */
static bool is_in_word(char c) {
  return isalnum((unsigned char)c) || (c != '\0' && strchr("_$.*?[]", c));
}

static bool has_word(const char *text, const char *word, size_t length) {
  for (const char *at = text; *at != '\0'; at++) {
    if (!is_in_word(*at))
      continue;
    const char *begin = at;
    while (is_in_word(at[1]))
      at++;
    if ((size_t)(at + 1 - begin) == length && memcmp(begin, word, length) == 0)
      return true;
  }
  return false;
}

/* Linkers refuse a symbol that is named twice. */
static void write_globals(FILE *file, const char *list, const char *script) {
  for (const char *at = list; *at != '\0'; at++) {
    size_t length = 0;
    while (is_in_word(at[length]))
      length++;
    if (length != 0 && !has_word(script, at, length))
      fprintf(file, "%.*s;\n", (int)length, at);
    if (length != 0)
      at += length - 1;
  }
}

/* What follows WORD and a colon at the beginning of TEXT; NULL if that begins otherwise. */
static const char *behind_label(const char *text, const char *word) {
  const char *at = next_token(text);
  if (strncmp(at, word, strlen(word)) != 0)
    return NULL;
  at = next_token(at + strlen(word));
  return *at == ':' ? at + 1 : NULL;
}

/* The path in memory of a script of BODY, which stands behind its brace; NULL if that
   cannot be had.  GNU ld knows one list of globals only, ahead of that of locals, and
   none without its name if there are locals. */
static const char *with_globals(const char *body, const char *list) {
  const char *globals = behind_label(body, "global");
  const bool is_named = globals != NULL || behind_label(body, "local") != NULL;
  int number;
  FILE *file = hp_memory_file(&number);
  if (file == NULL)
    return NULL;
  fputs(is_named ? "{ global:\n" : "{\n", file);
  write_globals(file, list, body);
  fputs(globals != NULL ? globals : body, file);
  return fclose(file) == 0 ? hp_format("/proc/self/fd/%d", number) : NULL;
}

static bool add_globals(struct hp_linker *linker,
                        struct hp_arguments *arguments,
                        const char *dynamic_list, const char **hides) {
  const char *value;
  for (size_t at = 0;;) {
    struct hp_linker_word *word =
        hp_linker_value(linker, &at, "version-script", &value);
    if (word == NULL)
      return true;
    const char *script = hp_file_text(value);
    if (script == NULL || !has_word(script, "local", strlen("local")))
      continue;
    const char *body = next_token(script);
    if (*body != '{') {
      if (has_word(body, "*", 1))
        *hides = value;
      continue;
    }
    const char *list = hp_file_text(dynamic_list);
    const char *path = with_globals(body + 1, list == NULL ? "" : list);
    if (path == NULL)
      return false;
    word->text =
        hp_format("%.*s%s", (int)(value - word->text), word->text, path);
    hp_linker_rewrite(linker, word, arguments);
  }
}

bool hp_exports_keep(struct hp_linker *linker, struct hp_arguments *arguments,
                     const char *dynamic_list, const char **hides) {
  *hides = NULL;
  name_archives(linker, arguments);
  return add_globals(linker, arguments, dynamic_list, hides);
}
