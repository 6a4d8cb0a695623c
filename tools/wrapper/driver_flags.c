/* driver_flags.c - the table of heapprof_flags.def; a path may hold a comma,
   so -Wl is taken apart before the paths come in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver_flags.h"

#include <string.h>

static const struct {
  enum hp_flag_group group;
  int since;
  const char *text;
} flags[] = {
#define HP_FLAG(group, since, text) {HP_FLAGS_##group, since, text},
#include "heapprof_flags.def"
#undef HP_FLAG
};

/* The LENGTH bytes of TEXT with its path, if it has one. */
static const char *with_path(const char *text, size_t length,
                             const struct hp_location *location) {
  const struct {
    const char *mark, *path;
  } paths[] = {{"@PASS@", location->plugin},
               {"@AST@", location->ast_plugin},
               {"@RUNTIME@", location->runtime},
               {"@STANDARD@", location->standard_library},
               {"@INCLUDE@", location->include}};
  const char *word = hp_format("%.*s", (int)length, text);
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
    const char *found = strstr(word, paths[i].mark);
    if (found != NULL)
      return hp_format("%.*s%s%s", (int)(found - word), word, paths[i].path,
                       found + strlen(paths[i].mark));
  }
  return word;
}

size_t hp_flags_insert(struct hp_strings *out, size_t at,
                       enum hp_flag_group group,
                       const struct hp_location *location) {
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
    const char *text = flags[i].text;
    if (flags[i].group != group || flags[i].since > HP_CLANG_MAJOR_NUMBER)
      continue;
    if (strncmp(text, "-Wl,", 4) != 0) {
      hp_strings_insert(out, at++, with_path(text, strlen(text), location));
      continue;
    }
    for (text += 4;; text++) {
      size_t length = strcspn(text, ",");
      hp_strings_insert(out, at++, "-Xlinker");
      hp_strings_insert(out, at++, with_path(text, length, location));
      text += length;
      if (*text == '\0')
        break;
    }
  }
  return at;
}
