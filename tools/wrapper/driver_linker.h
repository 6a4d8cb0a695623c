/* driver_linker.h - the words that the driver hands to the linker (-Wl,
   -Xlinker, -z) as one stream, whatever arguments they were spread over.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DRIVER_LINKER_H
#define HP_DRIVER_LINKER_H

#include "driver_arguments.h"

/* One linker word.
     argument  index of the argument it is in
     carrier   index of the -Xlinker before it; `argument` if there is none */
struct hp_linker_word {
  const char *text;
  size_t argument, carrier;
  bool dropped;
};

struct hp_linker {
  struct hp_linker_word *item;
  size_t count, capacity;
};

void hp_linker_add(struct hp_linker *linker, const char *text, size_t argument,
                   size_t carrier);
/* The words of a -Wl,A,B argument. */
void hp_linker_add_list(struct hp_linker *linker, const char *text,
                        size_t argument);

/* The next word from *AT on that is the value of OPTION (without its dashes), *AT then
   behind it: OPTION=VALUE, or VALUE in a word of its own.  *VALUE is where it begins.
   NULL if there is none. */
struct hp_linker_word *hp_linker_value(struct hp_linker *linker, size_t *at,
                                       const char *option, const char **value);

/* Writes the argument of WORD again, whose text or whose DROPPED was changed. */
void hp_linker_rewrite(const struct hp_linker *linker,
                       const struct hp_linker_word *word,
                       struct hp_arguments *arguments);

/* The symbols of --wrap. */
void hp_linker_wrapped(struct hp_linker *linker, struct hp_strings *out);

/* True if the linker itself is told to make a relocatable file. */
bool hp_linker_relocatable(const struct hp_linker *linker);

/* Takes the demand that no symbol be undefined (-z defs, --no-undefined) out
   of ARGUMENTS; returns its spelling, or NULL if nobody made it. */
const char *hp_linker_allow_undefined(struct hp_linker *linker,
                                      struct hp_arguments *arguments);

#endif
