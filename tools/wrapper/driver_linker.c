/* driver_linker.c - reads the linker's words and takes out the one demand that
   an instrumented shared library cannot meet.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_linker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hp_linker_add(struct hp_linker *linker, const char *text, size_t argument,
                   size_t carrier) {
  if (linker->count == linker->capacity)
    linker->item =
        hp_grown(linker->item, &linker->capacity, sizeof(*linker->item));
  linker->item[linker->count++] =
      (struct hp_linker_word){text, argument, carrier, false};
}

void hp_linker_add_list(struct hp_linker *linker, const char *text,
                        size_t argument) {
  for (const char *word = text + strlen("-Wl"); *word == ',';) {
    int length = (int)strcspn(++word, ",");
    hp_linker_add(linker, hp_format("%.*s", length, word), argument, argument);
    word += length;
  }
}

bool hp_linker_relocatable(const struct hp_linker *linker) {
  for (size_t i = 0; i < linker->count; i++) {
    const char *text = linker->item[i].text;
    if (strcmp(text, "-r") == 0 || strcmp(text, "--relocatable") == 0 ||
        strcmp(text, "-relocatable") == 0)
      return true;
  }
  return false;
}

struct hp_linker_word *hp_linker_value(struct hp_linker *linker, size_t *at,
                                       const char *option, const char **value) {
  while (*at < linker->count) {
    struct hp_linker_word *word = &linker->item[(*at)++];
    const size_t dashes = strspn(word->text, "-"), length = strlen(option);
    const char *rest = word->text + dashes + length;
    if (dashes == 0 || dashes > 2 ||
        strncmp(word->text + dashes, option, length) != 0)
      continue;
    if (*rest == '=') {
      *value = rest + 1;
      return word;
    }
    if (*rest == '\0' && *at < linker->count) {
      word = &linker->item[(*at)++];
      *value = word->text;
      return word;
    }
  }
  return NULL;
}

void hp_linker_wrapped(struct hp_linker *linker, struct hp_strings *out) {
  const char *symbol;
  for (size_t at = 0; hp_linker_value(linker, &at, "wrap", &symbol) != NULL;)
    hp_strings_push(out, symbol);
}

static bool forbids_undefined(const char *word) {
  return strcmp(word, "--no-undefined") == 0 ||
         strcmp(word, "-no-undefined") == 0 || strcmp(word, "-zdefs") == 0;
}

void hp_linker_rewrite(const struct hp_linker *linker,
                       const struct hp_linker_word *word,
                       struct hp_arguments *arguments) {
  const char *list = "-Wl";
  for (size_t i = 0; i < linker->count; i++)
    if (linker->item[i].argument == word->argument && !linker->item[i].dropped)
      list = hp_format("%s,%s", list, linker->item[i].text);
  hp_argument_change(&arguments->item[word->argument],
                     strcmp(list, "-Wl") == 0 ? NULL : list);
  if (word->carrier != word->argument)
    hp_argument_change(&arguments->item[word->carrier], NULL);
}

const char *hp_linker_allow_undefined(struct hp_linker *linker,
                                      struct hp_arguments *arguments) {
  const char *spelling = NULL;
  for (size_t i = 0; i < linker->count; i++) {
    struct hp_linker_word *word = &linker->item[i];
    if (forbids_undefined(word->text)) {
      spelling = word->text;
      word->dropped = true;
    } else if (i > 0 && strcmp(word[-1].text, "-z") == 0 &&
               strcmp(word->text, "defs") == 0) {
      spelling = "-z defs";
      word->dropped = word[-1].dropped = true;
    }
  }
  for (size_t i = 0; i < linker->count; i++)
    if (linker->item[i].dropped)
      hp_linker_rewrite(linker, &linker->item[i], arguments);
  return spelling;
}
