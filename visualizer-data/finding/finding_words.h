/* finding_words.h - what the sentences of findings are made of.
   Numbers are rounded; the exact ones are members of hp_finding.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FINDING_WORDS_H
#define HP_FINDING_WORDS_H

#include <stdio.h>

#include "finding/finding_verdict.h"
#include "number_text.h"

/* NUMBER as one of F: "~" stands before an estimate, a blank before a unit. */
struct hp_number_text hp_told(const struct hp_finding *f,
                              struct hp_number_text number);
struct hp_number_text hp_told_count(const struct hp_finding *f, uint64_t count);
struct hp_number_text hp_told_bytes(const struct hp_finding *f, uint64_t bytes);
/* How long one of the chunks lived, on average. */
struct hp_number_text hp_told_life(const struct hp_verdict *v);

/* "each for 3 us on average", or what says more, of those that ended; and behind it
   how many did not. */
void hp_put_lives(FILE *out, const struct hp_verdict *v);
void hp_put_staying(FILE *out, const struct hp_verdict *v);

/* "load (growth.cpp:20)", or the module and the address in it. */
void hp_put_place(FILE *out, const struct hp_frame *f);

/* Of long arguments of its template those of what these are of are left out:
   "std::map<int, Table<...>>". */
void hp_put_type(FILE *out, const char *type);

/* "3 chunks of 64 B (Node) from load (growth.cpp:20)" */
void hp_put_chunks(FILE *out, const struct hp_verdict *v);

/* " (by pages of 14 of 900 chunks: WHAT)", if V holds by them. */
void hp_put_by_pages(FILE *out, const struct hp_verdict *v, const char *what);

/* ", but for TAKER, which takes them down (3 of 4 chunks watched)", if V
   holds by that. */
void hp_put_teardown(FILE *out, const struct hp_verdict *v);

/* Remedies of several rules. */
#define HP_JOIN_BY_APPEND                                                      \
  "Append the parts by += to a text that is kept and cleared: each + makes a " \
  "new one, or lets one grow that has no room."

#define HP_TRY_EMPLACE                                                         \
  "Call try_emplace, which makes a node for a key alone that is not there; "   \
  "or look for it first."

/* The subject of F. */
static inline const char *hp_thing(const struct hp_finding *f,
                                   const char *otherwise) {
  return f->subject ? f->subject : otherwise;
}

static inline const char *hp_are(const struct hp_finding *f) {
  return f->chunks == 1 ? "is" : "are";
}
static inline const char *hp_them(const struct hp_finding *f) {
  return f->chunks == 1 ? "it" : "them";
}

/* What to do with chunks that are never freed. */
void hp_put_free_remedy(FILE *out, const struct hp_verdict *v);

#endif
