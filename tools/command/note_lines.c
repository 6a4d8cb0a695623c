/* note_lines.c - see note_lines.h: notes are alike that say the same of several dumps, but
   for their numbers.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE 1 /* asprintf */
#include "note_lines.h"

#include "text_column.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HP_ALIKE_SHOWN 3u /* of one kind */
#define HP_KINDS_MAX 64u  /* of notes; those of others are all shown */

struct kind {
  const char *says; /* by its first note */
  size_t count, shown;
};

/* What NOTE says behind the name of its dump, which ": " ends. */
static const char *said_of_dump(const char *note) {
  const char *end = strstr(note, ": ");
  return end ? end + 2 : note;
}

static bool are_alike(const char *a, const char *b) {
  for (;; a++, b++) {
    while (isdigit((unsigned char)*a))
      a++;
    while (isdigit((unsigned char)*b))
      b++;
    if (*a != *b || !*a)
      return *a == *b;
  }
}

/* NULL: there are too many kinds. */
static struct kind *kind_of(struct kind *kinds, const char *note) {
  const char *says = said_of_dump(note);
  for (size_t i = 0; i < HP_KINDS_MAX; i++) {
    if (!kinds[i].says)
      kinds[i].says = says;
    if (are_alike(kinds[i].says, says))
      return &kinds[i];
  }
  return NULL;
}

static void put_last_shown(FILE *out, const char *note, size_t left,
                           size_t width) {
  char *text;
  if (asprintf(&text, "%s (and %zu more such note%s, which --json has)", note,
               left, left == 1 ? "" : "s") < 0)
    text = NULL;
  hp_text_wrap(out, "note: ", text ? text : note, width);
  free(text);
}

void hp_put_notes(FILE *out, const hp_profile *profile, size_t width) {
  struct kind kinds[HP_KINDS_MAX] = {{NULL, 0, 0}};
  const size_t count = hp_profile_note_count(profile);
  for (size_t i = 0; i < count; i++) {
    struct kind *kind = kind_of(kinds, hp_profile_note_at(profile, i));
    if (kind)
      kind->count++;
  }
  for (size_t i = 0; i < count; i++) {
    const char *note = hp_profile_note_at(profile, i);
    struct kind *kind = kind_of(kinds, note);
    const size_t shown = kind ? ++kind->shown : 0;
    if (shown == HP_ALIKE_SHOWN && kind->count > shown)
      put_last_shown(out, note, kind->count - shown, width);
    else if (shown <= HP_ALIKE_SHOWN)
      hp_text_wrap(out, "note: ", note, width);
  }
}
