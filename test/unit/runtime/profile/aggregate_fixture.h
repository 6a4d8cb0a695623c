/* aggregate_fixture.h - the system below aggregate.c, and its records read back.
   A record becomes a list of numbers for each tag.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_FIXTURE_H
#define HP_AGGREGATE_FIXTURE_H

#include "profile/aggregate.h"

enum { HP_TAGS = 48, HP_LIST_MAX = 8192 };

/* What one record says, by tag; an absent field has no number. */
struct hp_fields {
  size_t counts[HP_TAGS];
  uint64_t values[HP_TAGS][HP_LIST_MAX];
};

/* Reads the fields of RECORD, which must be all there is. */
void hp_fields_read(struct hp_fields *fields, const uint8_t *data, size_t size);
void hp_fields_add(struct hp_fields *fields, unsigned tag, uint64_t value);
/* Adds VALUE as the only number of a field, unless it is 0. */
void hp_fields_set(struct hp_fields *fields, unsigned tag, uint64_t value);
void hp_fields_add_wide(struct hp_fields *fields, unsigned tag,
                        unsigned __int128 value);

/* Points with this id have elements of so many bytes. */
uint64_t hp_fixture_element_size(uint32_t point);

extern size_t hp_fixture_commits_left; /* then memory is refused */

#endif
