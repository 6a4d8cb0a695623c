/* set_term.h - one condition of a set: a key, how it is compared, and with what.
   Called by the parser only, which has told terms from operators.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_TERM_H
#define HP_SET_TERM_H

#include "query/set.h"

/* A text while it is parsed. */
struct hp_set_reader {
  const char *text, *at;
  const struct hp_set_place *place;
  struct hp_store *store;
};

static inline size_t hp_set_column(const struct hp_set_reader *reader,
                                   const char *at) {
  return (size_t)(at - reader->text) + 1;
}

void hp_set_skip_blanks(struct hp_set_reader *reader);

/* Bytes of a pattern that begins at TEXT without a quotation mark: up to a blank
   or an operator outside its parentheses and angle brackets. */
size_t hp_set_pattern_length(const char *text);

/* Fills NODE by the term that begins at READER and steps behind it. */
hp_status hp_set_take_term(struct hp_set_reader *reader,
                           struct hp_set_node *node, struct hp_error *error);

/* Of the word that begins at AT, of letters, digits and _; 0: none, or a number. */
size_t hp_set_word_length(const char *at);

/* WORD, of LENGTH bytes, is a key, so that no set can have its name. */
bool hp_set_is_key(const char *word, size_t length);

/* POINTS, of a term that was taken, has the number WANTED. */
bool hp_set_is_among(const char *points, uint64_t wanted);

#endif
