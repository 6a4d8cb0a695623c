/* copies.h - findings of what is copied: by a sort, of a class of the program, of a text
   that another is joined to, or of a container that is only read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COPIES_H
#define HP_COPIES_H

#include "finding/finding_rule.h"

/* Each of four rules: whether it holds, its sentence, its remedy. */
bool hp_is_sort_copy(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_sort_copies(FILE *out, const struct hp_verdict *v);
void hp_put_sort_copies_remedy(FILE *out, const struct hp_verdict *v);

bool hp_is_deep_copy(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_deep_copy(FILE *out, const struct hp_verdict *v);
void hp_put_deep_copy_remedy(FILE *out, const struct hp_verdict *v);

bool hp_is_concatenation(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_concatenation(FILE *out, const struct hp_verdict *v);
void hp_put_concatenation_remedy(FILE *out, const struct hp_verdict *v);

bool hp_is_copied_to_read(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_copied_to_read(FILE *out, const struct hp_verdict *v);
void hp_put_copied_to_read_remedy(FILE *out, const struct hp_verdict *v);

/* What the C++ library calls takes by value what it only reads. */
#define HP_ARGUMENT_BY_REFERENCE                                               \
  "Let what is called there, as a lambda, a comparison or a hash, take it by " \
  "const reference."

/* S's chunks are a container's that its place copies and drops again and again, however
   long each lives. */
bool hp_is_copied_each_time(const struct hp_suspect *s);

/* Who called F's place frees what it made: it has the object, or it is what the place
   returns. */
bool hp_may_be_result(const struct hp_finding *f);

/* What PLACE makes its caller frees, each time: S's chunks, of which V is. */
bool hp_is_copied_result(const struct hp_suspect *s,
                         const struct hp_frame *place,
                         const struct hp_verdict *v);

/* V is of what a copied std::pair holds, if S's chunks are. */
void hp_verdict_of_pair(struct hp_verdict *v, const struct hp_suspect *s);

/* What other rules say of chunks that are made where a class is copied. */
void hp_put_class_copies(FILE *out, const struct hp_verdict *v);
void hp_put_class_copies_remedy(FILE *out, const struct hp_verdict *v);

#endif
