/* library_object.h - objects of the C++ library that take many chunks each: a std::regex,
   a locale, a stream, a thread.  Who makes one has no use for what each chunk is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIBRARY_OBJECT_H
#define HP_LIBRARY_OBJECT_H

#include <stdio.h>

#include "base/store.h"
#include "finding/finding_verdict.h"
#include "finding/suspect.h"

/* What POINT's place made, or did, for which the library allocates. */
enum hp_standard_object hp_object_of(const struct hp_point *point);

struct hp_object_uses {
  struct hp_object_entry *hash;
};

/* Of all points, before any is asked.  False without memory. */
bool hp_object_uses_add(struct hp_object_uses *all,
                        const struct hp_point *point, struct hp_store *store);
struct hp_object_use hp_object_uses_find(const struct hp_object_uses *all,
                                         const struct hp_point *point);
void hp_object_uses_free(struct hp_object_uses *all);

/* The rule's row (rules_made_again.c). */
bool hp_is_object_per_call(const struct hp_suspect *s, struct hp_verdict *v);
void hp_put_object_per_call(FILE *out, const struct hp_verdict *v);
void hp_put_object_per_call_remedy(FILE *out, const struct hp_verdict *v);

/* The chunks are inside an object, where nobody can change one of them. */
bool hp_is_inside_object(const struct hp_suspect *s);

#endif
